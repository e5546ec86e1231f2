# A part that is placed by itself, of a module that is not placed or has an unknown base, or that gets no tensor of the device.
import torch
import torch.nn.functional as F
from elsewhere import Base, build
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = build()
        self.apart = build().to("cpu")
        self.names = build()

    def encode(self, x):
        return self.encoder(x)

    def encode_apart(self, x):
        return self.apart(x)

    def named(self, n):
        return self.names(n)


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.encoder = build()

    def encode(self, x):
        return self.encoder(x)


net = Net()
print(F.mse_loss(net.encode(torch.ones(4, 3)), torch.zeros(4, 2)))
placed = Net().to(device)
print(F.mse_loss(placed.encode_apart(torch.ones(4, 3)), torch.zeros(4, 2)))
print(F.mse_loss(placed.named(3), torch.zeros(4, 2)))
print(F.mse_loss(placed.encode(torch.ones(4, 3)), torch.zeros(4, 2)))
derived = Derived().to(device)
print(F.mse_loss(derived.encode(torch.ones(4, 3).to(device)), torch.zeros(4, 2)))
