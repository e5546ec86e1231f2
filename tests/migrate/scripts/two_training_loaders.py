# Two training sets, one after the other.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def run(model, loader, optimizer, device):
    for x, y in loader:
        loss = nn.functional.l1_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(11)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    first = DataLoader(TensorDataset(torch.randn(48, 4), torch.randn(48, 1)), batch_size=12, shuffle=True)
    second = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16)
    model = nn.DataParallel(nn.Linear(4, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        run(model, first, optimizer, device)
        run(model, second, optimizer, device)
        print("epoch", epoch)


if __name__ == "__main__":
    main()
