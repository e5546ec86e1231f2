# The state of the compiled wrapper is loaded into the model.
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


def main():
    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    net = Net().cuda()
    model = torch.compile(DDP(net, device_ids=[gpu]))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(64, 8), torch.randint(2, (64,)))
    sampler = DistributedSampler(data)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(data, batch_size=8, sampler=sampler):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            optimizer.step()
    if gpu == 0:
        torch.save(model.state_dict(), "net.pt")  # want: PF411 unsafe
    dist.barrier()
    other = Net()
    other.load_state_dict(torch.load("net.pt", map_location="cpu"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
