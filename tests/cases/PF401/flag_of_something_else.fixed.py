# rules: PF401, PF402, PF403
"""A flag for memory or results has no say over what goes to the GPU without it."""
# run: print(gather(nn.Linear(3, 3), [torch.ones(2, 3)], True).sum().item())
# run: print(evaluate(nn.Linear(3, 1), [torch.ones(2, 3)]).item(), Trainer().step(torch.ones(2, 3)).item())
# numbers: the weights are drawn anew
import argparse

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

parser = argparse.ArgumentParser()
parser.add_argument("--offload_cpu", action="store_true")
parser.add_argument("--low_gpu_mem", action="store_true")
args = parser.parse_args()

model = nn.Linear(2, 2).to(device)  # want: PF401
cache = [torch.randn(2, 2).to(device) for _ in range(3)]  # want: PF401
if args.offload_cpu:
    cache = [c.cpu() for c in cache]
for c in cache:
    if args.offload_cpu:  # want: PF403 unsafe
        c = c.cuda()
    print(model(c).mean())


def gather(model: nn.Module, loader, keep_on_cpu=False):
    store = torch.device("cpu") if keep_on_cpu else torch.device("cuda")
    model.to(device)  # want: PF401
    out = []
    for x in loader:
        x = x.to(device, non_blocking=True)  # want: PF401
        out.append(model(x).to(store))
    return torch.cat(out)


def evaluate(net: nn.Module, xs, metrics_on_cpu=True):
    where = torch.device("cpu" if metrics_on_cpu else "cuda")
    total = torch.zeros(1).to(where)
    net.to(device)  # want: PF401
    for x in xs:
        x = x.view(-1, 3).to(device)  # want: PF401
        total += net(x).sum().to(where)
    return total


class Trainer:
    def __init__(self, cpu_offload=True):
        self.offload_cpu = cpu_offload
        self.device = torch.device("cpu") if self.offload_cpu else torch.device("cuda")
        self.net = nn.Linear(3, 1).to(device)  # want: PF401
        self.ema = {k: v.to(self.device) for k, v in self.net.state_dict().items()}

    def step(self, x):
        x = x.to(device)  # want: PF401
        return self.net(x).sum()
