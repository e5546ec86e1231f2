import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, epochs):
    torch.cuda.set_device(rank)
    model = nn.Linear(6, 2).to(rank)
    model = DDP(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loss = model(torch.full((4, 6), 0.1 * (1 + rank + epoch)).to(rank)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 2 == 0:
            model.cpu()  # want: PF106 report
            state = model.module.state_dict()
            print(len(state))
            model.to(rank)
    return model
# run: import ranks
# run: ranks.run(worker, 4)
