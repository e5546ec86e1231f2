import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 3)
        self.body.to(device)

    def forward(self, x):
        return self.head(self.body(x))


def build(name):
    return {"net": Net, "linear": lambda: nn.Linear(4, 3)}[name]()


model = Net()
model.to(device)
model.head.to(device)
criterion = nn.CrossEntropyLoss(weight=torch.ones(3))
criterion.to(device)
nets = [Net() for _ in range(2)]
for net in nets:
    net.to(device)
other = build("linear")
other.to(device)
wrapped = nn.DataParallel(model)
wrapped.to(device)
nn.ModuleList(nets).to(device)
print(criterion(wrapped(torch.ones(2, 4, device=device)), torch.tensor([0, 1]).to(device)).item() > 0)
