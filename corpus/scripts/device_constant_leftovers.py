"""Half converted: DEVICE exists, some calls still say .cuda()."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 9
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Gate(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.value = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)

    def forward(self, x):
        return self.value(x) * torch.sigmoid(self.gate(x))


def make_loader():
    return DataLoader(TensorDataset(torch.randn(32, 6), torch.randn(32, 6)), batch_size=8)


def main():
    torch.manual_seed(SEED)
    model = nn.Sequential(Gate(6), Gate(6)).to(DEVICE)
    criterion = nn.MSELoss().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    weight = torch.ones(6).cuda()
    for epoch in range(2):
        for x, y in make_loader():
            x = x.to(DEVICE)
            y = y.cuda()
            loss = criterion(model(x) * weight, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.6f}")


if __name__ == "__main__":
    main()
