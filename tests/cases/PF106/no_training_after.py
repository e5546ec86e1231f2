import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, epochs):
    model = nn.Linear(6, 2).to(rank)
    model = DDP(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loss = model(torch.ones(4, 6).to(rank)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        state = {key: value.cpu() for key, value in model.module.state_dict().items()}
        torch.save(state, "model.pt")
        if epoch == epochs - 1:
            model.cpu()
        if loss.item() < 1e-3:
            model.cpu()
            break
    torch.save(model.module.cpu().state_dict(), "model.pt")
    return model
