# Two groups of parameters with their own rates.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 10)
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def main():
    torch.manual_seed(33)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net().to(device)
    optimizer = torch.optim.SGD([{"params": model.body.parameters()}, {"params": model.head.parameters(), "lr": 0.2}], lr=0.02)
    model = nn.DataParallel(model)
    loader = DataLoader(TensorDataset(torch.randn(96, 5), torch.randint(0, 2, (96,))), batch_size=16, shuffle=True)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
