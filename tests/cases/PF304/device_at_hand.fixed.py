import torch
from torch import nn


class Grid(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 1, 1)

    def forward(self, image):
        device = image.device
        rows = torch.linspace(-1, 1, image.size(2), device=device)  # want: PF304
        columns = torch.linspace(-1, 1, image.size(3), device=device)
        grid = rows.view(-1, 1) * columns
        return self.conv(image) * grid


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Grid().to(device)
image = torch.randn(1, 3, 4, 4).to(device)
print(f"{net(image).sum().item():.4f}")
