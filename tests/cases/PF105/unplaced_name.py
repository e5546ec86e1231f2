# The module has a name, and the GPU of the process comes from the environment.
# ranks: 2
# machines: 2
# given: import torch.distributed as dist
# given: dist.init_process_group("gloo")
# run: main()
# fails: device_ids and output_device arguments only work with
import os

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = Net()
    model = nn.parallel.DistributedDataParallel(net, device_ids=[local_rank], output_device=local_rank)  # want: PF105
    loss = model(torch.ones(4, 3)).sum()
    loss.backward()
    print(loss.item())
