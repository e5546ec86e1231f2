"""A device that is entered where there is CUDA, other devices, and a dict for other code."""
import torch

KW = {"device": "cuda:0", "dtype": torch.float32}


def build(run, net):
    if torch.cuda.is_available():
        with torch.device("cuda"):
            weight = torch.ones(2)
    with torch.device("meta"):
        empty = torch.ones(2)
    return run(net, **KW), weight, empty
