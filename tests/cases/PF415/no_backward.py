# Every process comes to the backward pass, or the pass averages nothing.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(loader):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    net = nn.Linear(3, 2).cuda()
    model = DDP(net, device_ids=[rank])
    critic = nn.Linear(2, 1).cuda()
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        if rank == 0:
            print(loss.item())
            critic(torch.ones(2, 2).cuda()).mean().backward()
            net(x.cuda()).mean().backward()
            critic(model(x.cuda()).detach()).mean().backward()
            with model.no_sync():
                model(x.cuda()).mean().backward()
        if rank == 0:
            model(x.cuda()).sum().backward()
        else:
            model(x.cuda()).mean().backward()


def evaluate(loader):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    model = DDP(nn.Linear(3, 2).cuda(), device_ids=[rank])
    if rank == 0:
        model.eval()
        with torch.no_grad():
            for x in loader:
                print(model(x.cuda()).mean().item())


def one_process(loader):
    dist.init_process_group("gloo", rank=0, world_size=1)
    model = DDP(nn.Linear(3, 2))
    if dist.get_rank() == 0:
        for x in loader:
            model(x).mean().backward()
