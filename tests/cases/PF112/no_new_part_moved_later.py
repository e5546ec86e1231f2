import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def network(width=4):
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))


x = torch.randn(3, 4).to(device)

whole = network().to(device)
whole.head = nn.Linear(4, 2)
whole = whole.to(device)
print(whole(x).shape)

part = network().to(device)
part[2] = nn.Linear(4, 2)
part[2].to(device)
part.head = nn.Linear(4, 2)
part.head = part.head.to(device)
print(part(x).shape)

before = network()
before.head = nn.Linear(4, 2)
before.to(device)
print(before(x).shape)

bare = network().to(device)
bare.head = nn.Identity()
bare[1] = nn.GELU()
print(bare(x).shape)


unknown = network().to(device)
unknown.head = nn.Linear(4, 2)
print(getattr(nn, "Module").to(unknown, device)(x).shape)


def place(model):
    model.to(device)


helped = network().to(device)
helped.head = nn.Linear(4, 2)
place(helped)
print(helped(x).shape)

host = network()
host.head = nn.Linear(4, 2)
print(host(torch.randn(3, 4)).shape)
