import os

import torch
import torch.nn as nn


def worker(rank):
    model = nn.Linear(6, 2).to(rank)
    if "WORLD_SIZE" in os.environ:
        model = nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        loss = model(torch.full((4, 6), 0.1 * (1 + rank + epoch)).to(rank)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 2:
            model.to("cpu")  # want: PF106 report
            print(sum(p.sum() for p in model.parameters()).item() > 0)
            model.to(rank)
    return model
# run: import ranks
# run: ranks.run(worker)
