# A part of the model is not trained.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
        self.head = nn.Linear(10, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def main():
    torch.manual_seed(32)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net()
    for parameter in model.backbone.parameters():
        parameter.requires_grad = False
    model = model.to(device)
    model = nn.DataParallel(model)
    loader = DataLoader(TensorDataset(torch.randn(96, 5), torch.randint(0, 2, (96,))), batch_size=16, shuffle=True)
    optimizer = torch.optim.SGD((p for p in model.parameters() if p.requires_grad), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
