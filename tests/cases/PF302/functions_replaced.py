# The file replaces a function of torch, a method of a class, and the forward of a module's class.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)

zeros = torch.zeros


def zeros_there(*size):
    return zeros(*size, device=device)


torch.zeros = zeros_there
torch.ones = lambda *size: zeros(*size, device=device) + 1
print(net(torch.zeros(1, 3)), net(torch.ones(1, 3)))


class Steps:
    def prepare(self, x):
        return x

    def run(self, x):
        return net(self.prepare(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


def moved(self, x):
    return self.fc(x.to(device))


Steps.prepare = lambda self, x: x.to(device)
Model.forward = moved
model = Model().to(device)
print(Steps().run(torch.rand(1, 3)), model(torch.rand(1, 3)))
