# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Parameter(torch.randn(4))
        self.register_buffer("steps", torch.arange(4.0))
        self.table = torch.zeros(4)

    def forward(self, x):
        return (x * self.query + self.steps).sum(1)


model = Attention().to(device)
print(model(torch.ones(2, 4, device=device)).shape)
