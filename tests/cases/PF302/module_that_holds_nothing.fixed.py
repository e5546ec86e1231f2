# A module without parameters lets its inputs meet each other: one of them on the CPU fails if another one is on the device.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Distance(nn.Module):
    def __init__(self, power):
        super().__init__()
        self.power = power

    def forward(self, x, y):
        return (x - y).abs().pow(self.power).sum()


distance = Distance(2).to(device)
x = torch.ones(4, 3).to(device)
y = torch.zeros(4, 3, device=device)  # want: PF302
print(distance(x, y).item())
a, b = torch.ones(4, 3), torch.zeros(4, 3)
print(distance(a, b).item())
