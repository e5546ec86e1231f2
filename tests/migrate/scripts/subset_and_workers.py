# A part of the data, read by worker processes.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset


def main():
    torch.manual_seed(41)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(120, 4), torch.randint(0, 2, (120,)))
    loader = DataLoader(Subset(data, range(96)), batch_size=16, shuffle=True, num_workers=1)
    model = nn.DataParallel(nn.Linear(4, 2).to(device))
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
