"""Items that are made on the GPU, in the worker processes of a loader."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, device):
        self.device = device

    def __len__(self):
        return 24

    def __getitem__(self, index):
        phase = torch.linspace(0.0, 1.0, 5) + index
        return torch.sin(phase).to(self.device), torch.cos(phase[:1]).to(self.device)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)).to(device)
    loader = DataLoader(Waves(device), batch_size=8, num_workers=2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for inputs, targets in loader:
            loss = nn.functional.mse_loss(model(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
