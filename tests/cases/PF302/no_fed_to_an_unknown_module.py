# options: unsafe
"""What is fed to an unknown module lies where that does, is no tensor of the file, or goes to one that stays on the CPU."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def on_the_device(net):
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net(torch.randn(3, 4, device=device)), net(torch.randn(3, 4).to(device))


def given(net, batch):
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net(batch), net(torch.as_tensor(batch)), net(torch.tensor(3))


def on_the_cpu(net):
    net.to("cpu")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net(torch.randn(3, 4))


def not_moved(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net(torch.randn(3, 4))


def no_module(tokenize):
    words = tokenize(torch.randn(3, 4))
    return words.to(device)


def numbers(net):
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    return net(size=torch.zeros(3).shape, n=3)
