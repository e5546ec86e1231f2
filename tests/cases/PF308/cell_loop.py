import torch
from torch import nn


class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 6)

    def forward(self, x):
        h = torch.zeros(x.size(0), 6)  # want: PF308
        steps = []
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            steps.append(h)
        return torch.stack(steps, dim=1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Unrolled().to(device)
x = torch.randn(2, 5, 4).to(device)
print(f"{net(x).sum().item():.4f}")
