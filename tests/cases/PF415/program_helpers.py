# The rank comes through helper functions, the first process downloads before the others, and a decorator limits the log to it.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import functools

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.body(x)


def get_rank():
    return dist.get_rank() if dist.is_available() and dist.is_initialized() else 0


def is_main_process():
    return get_rank() == 0


def main_process_only(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        if is_main_process():
            return function(*args, **kwargs)
        return None

    return wrapped


@main_process_only
def save(model, name):
    torch.save(model.state_dict(), "net.pt")


def download():
    if not is_main_process():
        dist.barrier()
    data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    if is_main_process():
        dist.barrier()
    return data


def reduce_mean(value):
    if not dist.is_initialized():
        return value
    value = value.clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(get_rank() % torch.cuda.device_count())
    data = download()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(Net().cuda(), device_ids=[torch.cuda.current_device()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean = reduce_mean(loss.detach())
            if is_main_process():
                print(mean.item())
        save(model.module, "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
