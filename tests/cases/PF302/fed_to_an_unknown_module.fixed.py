# options: unsafe
"""What another file makes is a module (it has parameters), and it was moved; what it does with its inputs is not known."""
# run: print(sampled(nn.Linear(4, 2)).shape, summary(nn.Linear(4, 2), (3, 4)).shape)
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def sampled(net):
    net = net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        noise = torch.randn(3, 4)
        fake = net(noise.to(device))  # want: PF302 unsafe, warning
        optimizer.zero_grad()
        fake.sum().backward()
        optimizer.step()
    return fake


def summary(model, size):
    model.to(device)
    print(len(list(model.parameters())))
    with torch.no_grad():
        return model(torch.zeros(*size).to(device))  # want: PF302 unsafe, warning
