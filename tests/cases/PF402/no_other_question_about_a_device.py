# The code below a question about a given device, or about CUDA, is for that device.
import torch


def place(net, device="cpu"):
    if device == "gpu":
        device = torch.device("cuda")
    return net.to(device)


def load(net, device=None):
    if device is not None:
        device = torch.device("cuda")
    else:
        device = torch.device("cpu")
    return net.to(device)


def choose(net, device=None):
    if device is None and torch.cuda.is_available():
        device = torch.device("cuda")
    return net.to(device)
