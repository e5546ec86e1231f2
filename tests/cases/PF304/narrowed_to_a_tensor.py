# A test of its class shows that an argument is a tensor.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, 3).to(device)


class Asserted(nn.Module):
    def forward(self, x):
        assert isinstance(x, torch.Tensor)
        return x * torch.linspace(0.0, 1.0, 3)  # want: PF304


class Raised(nn.Module):
    def forward(self, x):
        if not torch.is_tensor(x):
            raise TypeError(x)
        return x * torch.linspace(0.0, 1.0, 3)  # want: PF304


class Arm(nn.Module):
    def forward(self, x, scale):
        if isinstance(x, torch.Tensor) and scale:
            return x * torch.linspace(0.0, 1.0, 3)  # want: PF304
        return x


print(Asserted()(x).sum().item(), Raised()(x).sum().item(), Arm()(x, True).sum().item())
