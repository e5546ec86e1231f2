# The constructor calls methods of torch's modules after it has set the attribute: they set no other one.
# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Scaling().to(device)(torch.ones(2, 3, device=device)).sum())
# run: print(Shift().to(device)(torch.ones(2, 3, device=device)).shape)
import torch
from torch import nn


class Scaling(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = torch.ones(3)[None, :]  # want: PF305 unsafe
        self.register_buffer("scale", torch.tensor([0.45, 0.44, 0.45])[None, :])
        self.eval()

    def forward(self, x):
        return (x - self.shift) / self.scale


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.by = torch.ones(3)  # want: PF305 unsafe
        self.register_parameter("bias", nn.Parameter(torch.zeros(3)))
        self.line = nn.Linear(3, 3)

    def forward(self, x):
        return self.line(x) + self.by + self.bias


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Scaling().to(device), Shift().to(device)]
