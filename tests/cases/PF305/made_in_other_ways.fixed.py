# options: unsafe
# The attribute is made of several tensors, in one arm of a test, by a method of the class, below an annotation of the class, or above a call of a
# method.
# run: print(Attention(3).to(device)(torch.ones(4, 3, device=device)).shape, Smear(3).to(device)(torch.ones(2, 3, device=device)).shape)
# run: print(Window(3).to(device)(torch.ones(2, 3, device=device)).shape, Scales(3).to(device)(torch.ones(2, 3, device=device)).shape)
# run: print(Bound().to(device)(torch.ones(2, 3, device=device)).shape)
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.relative = nn.Parameter(torch.ones(4, size))
        query = torch.arange(size).unsqueeze(0)
        key = torch.arange(size).unsqueeze(1)
        relative = key - query + size - 1
        self.register_buffer("flat", relative.view(-1).clamp(max=size - 1), persistent=False)  # want: PF305 unsafe
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.ones_(self.relative)

    def forward(self, x):
        return torch.index_select(self.relative, 1, self.flat)


class Smear(nn.Module):
    def __init__(self, n, centered=False, learnable=False):
        super().__init__()
        mu = torch.zeros(n) if centered else torch.linspace(0, 1, n)
        if learnable:
            self.mu = nn.Parameter(mu)
        else:
            self.register_buffer("mu", mu, persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return x.sigmoid() - self.mu


class Window(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.register_buffer("window", self._get_window(), persistent=False)  # want: PF305 unsafe

    def _get_window(self):
        return torch.hann_window(self.n)

    def forward(self, x):
        return x.sigmoid() * self.window


class Scales(nn.Module):
    def __init__(self, n, cached=False):
        super().__init__()
        scales = 2.0 * torch.exp(torch.arange(n, dtype=torch.float) * -0.5)
        if cached:
            self.register_buffer("signal", scales)
        else:
            self.register_buffer("scales", scales, persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return x.sigmoid() * self.scales


class Bound(nn.Module):
    pedestal: torch.Tensor

    def __init__(self):
        super().__init__()
        self.register_buffer("pedestal", torch.Tensor([0.5]), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return x.sigmoid() + self.pedestal


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
models = [Attention(3).to(device), Smear(3).to(device), Window(3).to(device), Scales(3).to(device), Bound().to(device)]
