import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
w = torch.tensor([1.0, 2.0])
net = nn.Linear(3, 2).to(device)


class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.CrossEntropyLoss(weight=w)

    def forward(self, out, y):
        return self.loss(out, y)


one = nn.CrossEntropyLoss(weight=w.to(device))
two = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0], device=device))
three = nn.CrossEntropyLoss(weight=w).to(device)
four = nn.CrossEntropyLoss(weight=w)
four.to(device)
five = nn.CrossEntropyLoss()
six = Criterion().to(device)
out, y = net(torch.ones(2, 3).to(device)), torch.tensor([0, 1]).to(device)
for loss in (one, two, three, four, five, six):
    print(round(loss(out, y).item(), 4))
on_host = nn.CrossEntropyLoss(weight=w)
print(round(on_host(out.cpu(), y.cpu()).item(), 4))
