# An elastic job: every process loads the snapshot to the CPU, local rank 0 writes it, a barrier comes before the read.
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


PATH = "snapshot.pt"


def save(state):
    torch.save(state, PATH + ".tmp")
    os.replace(PATH + ".tmp", PATH)


def main():
    dist.init_process_group("gloo" if not torch.cuda.is_available() else "nccl")
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    is_cuda = torch.cuda.is_available()
    device = torch.device("cuda", local_rank) if is_cuda else torch.device("cpu")
    if is_cuda:
        torch.cuda.set_device(local_rank)
    net = Net().to(device)
    first = 0
    if os.path.exists(PATH):
        state = torch.load(PATH, map_location="cpu")
        net.load_state_dict(state["net"])
        first = state["epoch"] + 1
    model = DDP(net, device_ids=[local_rank] if is_cuda else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    for epoch in range(first, 10):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        if local_rank == 0:
            save({"net": net.state_dict(), "epoch": epoch})
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
