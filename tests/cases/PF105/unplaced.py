# DDP gets a device id and a module on the CPU: its constructor raises.
# ranks: 2
# machines: 2
# given: import torch.distributed as dist
# given: dist.init_process_group("gloo")
# run: main(dist.get_rank())
# fails: device_ids and output_device arguments only work with
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(rank):
    model = DDP(nn.Linear(3, 2), device_ids=[rank])  # want: PF105
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(4, 3)).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())
