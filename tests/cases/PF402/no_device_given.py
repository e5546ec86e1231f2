# A caller that gives no device gets CUDA: the choice of the function has to ask for it.
# run: place(torch.nn.Linear(2, 2)), Net(torch.nn.Linear(2, 2)), load(torch.nn.Linear(2, 2))
import torch


def place(net, device=None):
    if device is None:
        device = torch.device("cuda")  # want: PF402
    return net.to(device)


class Net:
    def __init__(self, net, device="auto"):
        if device == "auto":
            self.device = torch.device("cuda")  # want: PF402
        else:
            self.device = device
        self.net = net.to(self.device)


def load(net, device=None):
    if not device:
        device = "cuda"  # want: PF402
    return net.to(device)
