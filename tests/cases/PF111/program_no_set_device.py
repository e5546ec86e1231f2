# No GPU is selected: every process is on the first.
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


def evaluate(model, loader, device):
    model.eval()
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x.to(device)).argmax(1) == y.to(device)).sum().item()
    model.train()
    return right


def main():
    dist.init_process_group("nccl")
    rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda")
    data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler, num_workers=2, pin_memory=True)
    held_out = DataLoader(TensorDataset(torch.randn(16, 8), torch.randint(2, (16,))), batch_size=8)
    model = DDP(Net().to(device), device_ids=[local_rank])  # want: PF111 report
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss().to(device)
    best = 0
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        if rank == 0:
            accuracy = evaluate(model.module, held_out, device)
            print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy}")
            if accuracy > best:
                best = accuracy
                torch.save({"model": model.module.state_dict(), "epoch": epoch}, "best.pt")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
