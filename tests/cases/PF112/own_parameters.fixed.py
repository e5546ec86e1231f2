import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class CenterLoss(nn.Module):
    """Distances to learned centres."""

    def __init__(self, classes, width):
        super().__init__()
        self.centers = nn.Parameter(torch.ones(classes, width))

    def forward(self, x, labels):
        distances = x.pow(2).sum(1, keepdim=True) - 2 * torch.matmul(x, self.centers.t())
        return distances.gather(1, labels.unsqueeze(1)).mean()


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * self.weight.view(1, -1)


class Prototypes(nn.Module):
    """Rows of a parameter: an index of unknown size leaves a dimension of the two."""

    def __init__(self, classes, width):
        super().__init__()
        self.rows = nn.Parameter(torch.ones(classes, width))

    def forward(self, features, labels):
        return ((features - self.rows[labels]) ** 2).mean()


torch.manual_seed(1)
model = nn.Linear(6, 4).to(device)
scale = Scale(4).to(device)  # want: PF112
criterion = CenterLoss(3, 4).to(device)  # want: PF112
prototypes = Prototypes(3, 4).to(device)  # want: PF112
x = torch.randn(5, 6).to(device)
y = torch.randint(0, 3, (5,)).to(device)
loss = criterion(scale(model(x)), y) + prototypes(model(x), y)
loss.backward()
print(f"{loss.item():.4f}")
