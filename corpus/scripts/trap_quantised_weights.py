"""A layer whose packed weights are moved by its own .cuda(device), in place."""
import torch
from torch import nn


class PackedLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.packed = torch.randint(-127, 127, (n_out, n_in), dtype=torch.int8)
        self.scale = nn.Parameter(torch.full((n_out, 1), 0.01))

    def cuda(self, device=None):
        super().cuda(device)
        self.packed = self.packed.cuda(device)
        return self

    def forward(self, x):
        weight = self.packed.to(self.scale.device).float() * self.scale
        return x @ weight.t()


def main():
    torch.manual_seed(112)
    layer = PackedLinear(6, 3)
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", torch.cuda.current_device())
        layer.cuda(device)
    optimizer = torch.optim.Adam(layer.parameters(), lr=1e-3)
    for step in range(4):
        x = torch.randn(8, 6).to(device)
        loss = layer(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
