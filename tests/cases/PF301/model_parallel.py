# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TwoParts(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8).to("cuda:0")
        self.second = nn.Linear(8, 3).to("cuda:1")

    def forward(self, x):
        x = torch.relu(self.first(x.to("cuda:0")))
        return self.second(x.to("cuda:1"))


def main():
    loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
    model = TwoParts()
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        out = model(x)
        print(criterion(out, y.to(out.device)).item())


if torch.cuda.device_count() > 1:
    main()
