# rules: PF401, PF402, PF403
# options: unsafe
"""Under a test that may ask anything some lines name a device, and one says CUDA."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--multi-gpu", action="store_true")
args = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Window:
    def get_device(self):
        return device

    def sums(self, data, all_in_gpu):
        if all_in_gpu:
            total = torch.zeros(3, device=self.get_device())
            count = torch.zeros(3, device=self.get_device())  # want: PF402 unsafe
        else:
            total, count = torch.zeros(3), torch.ones(3)
        return total + count + data.to(total.device)


model = nn.Linear(3, 1)
if args.multi_gpu:
    model.to(device)
    model = nn.DataParallel(model)
else:
    model.to(device)  # want: PF401


def follow(x, y, device):
    if x.device != device:
        x = x.to(device)
        y = y.to(device)  # want: PF403 unsafe
    return x, y


x, y = follow(torch.ones(2, 3), torch.ones(2, 1).to(device), device)
print((model(x) - y).sum().item() < 100)
print(Window().sums(torch.ones(3), True).tolist())
