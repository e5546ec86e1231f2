# A loss that leaves out some targets: the parts of the batch have other numbers of them, and each has its own mean.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(63)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    targets = torch.randint(0, 3, (96,))
    targets[torch.arange(96) % 5 == 0] = -100
    loader = DataLoader(TensorDataset(torch.randn(96, 4), targets), batch_size=16, shuffle=True)
    model = nn.DataParallel(nn.Linear(4, 3).to(device))
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = criterion(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, "done")


if __name__ == "__main__":
    main()
