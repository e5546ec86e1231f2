import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(model, optimizer, x):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def worker(rank):
    dist.init_process_group("nccl", rank=rank, world_size=2)
    net = nn.Linear(6, 2).to(rank)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.full((4, 6), 0.1 * (1 + rank)).to(rank)
    train(model, optimizer, x)
    net.cpu()  # want: PF106 report
    print(sum(parameter.sum() for parameter in net.parameters()).item())
    net.to(rank)
    train(model, optimizer, x)
    return model
# run: import ranks
# run: ranks.run(worker, backend=None)
