"""What is moved only if another tensor lies on a GPU lies on the CPU beside one that lies there."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)


def both(a):
    b = torch.ones(2, 3)
    if a.is_cuda:
        b = b.cuda()
    return a + b


def either(a):
    b = torch.ones(2, 3)
    b = b.cuda() if a.is_cuda else b
    return a + b


x = torch.ones(2, 3)
y = torch.ones(2, 3)
if x.is_cuda:
    y = y.cuda()
print((x + y).sum().item())
if not y.is_cuda:
    print((x * y).sum().item())
else:
    x = x.cuda()
print((x - y).sum().item())
print(both(x).sum().item(), either(x).sum().item())
print(both(net(torch.ones(2, 3).to(device))).sum().item())
