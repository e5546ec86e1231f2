import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = nn.Linear(3, 2).to(device)
x = torch.randn(2, 3)
x.to(device).float()  # want: PF303 unsafe
out = model(x)
out.float()
scores = model(torch.ones(1, 3).to(device)).detach()
scores.cpu()  # want: PF303
print(scores.numpy().shape)
feats = torch.randn(4, 3)


def use():
    feats.to(device)  # want: PF303 report
    return model(feats)


class Box:
    def __init__(self):
        self.device = device
        self.anchors = torch.arange(3.0)
        self.net = nn.Linear(3, 1)
        self.net.to(self.device)

    def prepare(self):
        self.anchors.to(self.device)  # want: PF303
        return self.net(self.anchors)


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.grid = torch.zeros(3)

    def forward(self, x):
        x.to(device)
        return self.lin(x) + self.grid


print(use().shape, Box().prepare().shape)
h = Holder()
h.to(device)
(x + 1).to(device)  # want: PF303 report, warning
host = torch.randn(3, 3)
total = host.sum()
host.to(device)  # want: PF303 unsafe, warning
print(host.numpy().sum() == total.item())
if torch.cuda.is_available():
    x.cuda()  # want: PF303 unsafe, warning
    model.cuda()
y = torch.randn(2, 3)
y.to(torch.float64)
y.cuda(non_blocking=True) if torch.cuda.is_available() else y
print(model(y).shape)
# after: mat1 is on cpu: a function does not rebind a global, and some moves are unsafe
