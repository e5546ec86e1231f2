# The model has two outputs and two losses.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8)
        self.kind = nn.Linear(8, 3)
        self.size = nn.Linear(8, 1)

    def forward(self, x):
        hidden = torch.relu(self.body(x))
        return self.kind(hidden), self.size(hidden)


def main():
    torch.manual_seed(38)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 6), torch.randint(0, 3, (96,)), torch.randn(96, 1))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = TwoHeads().to(device)
    model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    classify, regress = nn.CrossEntropyLoss(), nn.L1Loss()
    for epoch in range(2):
        for x, kind, size in loader:
            x, kind, size = x.to(device), kind.to(device), size.to(device)
            kinds, sizes = model(x)
            loss = classify(kinds, kind) + 0.5 * regress(sizes, size)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
