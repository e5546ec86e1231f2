# The state of the wrapper is loaded into the model itself.
# options: unsafe
# machines: 0,2
# run: train(); test(); both(); again()
# fails: Missing key(s) in state_dict
import torch
from torch import nn

PATH = "net.pt"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def train():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(Net().to(device))
    print(model(torch.ones(4, 3)).sum().item())
    torch.save(model.module.state_dict(), PATH)  # want: PF411 unsafe


def test():
    net = Net()
    net.load_state_dict(torch.load(PATH, map_location="cpu"))
    print(net.fc.bias.sum().item())


def both():
    model = nn.DataParallel(Net())
    state = {"epoch": 1, "model": model.module.state_dict()}  # want: PF411 unsafe
    torch.save(state, "both.pt")


def again():
    net = Net()
    checkpoint = torch.load("both.pt", map_location="cpu")
    net.load_state_dict(checkpoint["model"])
    print(checkpoint["epoch"])
