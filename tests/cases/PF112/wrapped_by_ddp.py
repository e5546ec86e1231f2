# options: unsafe
"""DDP is given a GPU for a module that was never placed: its constructor raises."""
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def main(gpu):
    torch.manual_seed(0)
    model = DDP(torch.nn.Linear(3, 2), device_ids=[gpu])  # want: PF112 unsafe
    x = torch.ones(2, 3).cuda(gpu)
    print(round(model(x).sum().item(), 4))
# machines: 2
# run: import ranks
# run: ranks.run(main)
