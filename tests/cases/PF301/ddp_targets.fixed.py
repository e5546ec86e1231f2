import torch
import torch.nn as nn
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main(rank, world_size):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    torch.cuda.set_device(rank)
    model = nn.Linear(4, 3).to(rank)
    model = DDP(model, device_ids=[rank])
    data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
    loader = DataLoader(data, batch_size=6, sampler=DistributedSampler(data), num_workers=2, pin_memory=True)
    loss_fn = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:  # want: PF301
        y = y.to(rank)
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
    dist.destroy_process_group()
# machines: 2
# run: import ranks
# run: ranks.run(main, 2, backend=None)
