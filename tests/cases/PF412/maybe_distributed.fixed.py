# One process has no sampler; the order of two epochs is printed.
# options: unsafe
# run: main(True)
# run: main(False)
# given: import torch.distributed as dist
# given: dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
# machines: 0
# before: clean: each epoch has the same order
# numbers: each epoch has an order of its own
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(distributed):
    data = TensorDataset(torch.arange(16.0).view(16, 1))
    sampler = DistributedSampler(data, shuffle=True) if distributed else None  # want: PF412 unsafe
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    model = nn.Linear(1, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for epoch in range(2):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for i, (x,) in enumerate(loader):
            loss = model(x.to(device)).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
