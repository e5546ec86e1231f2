# The function that the first process calls reduces the counts of all.
# rules: PF101,PF105,PF106,PF107,PF108,PF111,PF113,PF312,PF313,PF315,PF405,PF411,PF412,PF414,PF415,PF416
import os

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


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    counts = torch.zeros(2, device=device)
    for x, y in loader:
        y = y.to(device)
        counts[0] += (model(x.to(device)).argmax(1) == y).sum()
        counts[1] += len(y)
    dist.all_reduce(counts, op=dist.ReduceOp.SUM)
    model.train()
    return (counts[0] / counts[1]).item()


def main():
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", gpu)
    torch.cuda.set_device(device)
    train = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    test = TensorDataset(torch.randn(16, 8), torch.randint(2, (16,)))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=8, sampler=sampler)
    held_out = DataLoader(test, batch_size=8, sampler=DistributedSampler(test, shuffle=False))
    model = DDP(Net().to(device), device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = 0.0
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            accuracy = validate(model, held_out, device)  # want: PF415 report
            if accuracy > best:
                best = accuracy
                torch.save(model.module.state_dict(), "best.pt")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
