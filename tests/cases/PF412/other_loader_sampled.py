# The loader of the evaluation has a sampler, the loader of the training has none; its class draws and divides nothing, though its text has such words.
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Brands(Dataset):
    """A grandiose name: with rand in it, and the frank statement that there is no shard."""

    def __init__(self, count):
        self.items = torch.arange(float(count)).view(count, 1)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def main():
    dist.init_process_group("gloo")
    device = torch.device("cuda", dist.get_rank())
    held_out = Brands(8)
    test = DataLoader(held_out, batch_size=2, sampler=DistributedSampler(held_out, shuffle=False))
    model = DDP(nn.Linear(1, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        for x in DataLoader(Brands(16), batch_size=2, shuffle=True):  # want: PF412 report
            loss = model(x.to(device)).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        for x in test:
            print(epoch, model(x.to(device)).sum().item())
