# The weights are saved without the prefix of the wrapper.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, width), nn.GELU(), nn.Linear(width, 1))
        self.width = width

    def forward(self, x):
        return self.layers(x).squeeze(1)


def main():
    torch.manual_seed(9)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.randn(96, 4)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1)), 32, shuffle=True)
    model = nn.DataParallel(Regressor(6)).to(device)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    for epoch in range(3):
        for features, target in loader:
            features, target = features.to(device), target.to(device)
            optimizer.zero_grad()
            loss = ((model(features) - target) ** 2).mean()
            loss.backward()
            optimizer.step()
        print("width", model.module.width, "loss", loss.item())
    torch.save(model.module.state_dict(), "regressor.pt")


if __name__ == "__main__":
    main()
