# run: print(pick("cpu"), on("cpu", torch.ones(2)))
import torch

DEVICES = {"cpu": "cpu", "mps": "mps", "xpu": "xpu"}


def pick(name):
    if name == "mps":
        return torch.device("mps")
    return torch.device(DEVICES[name])


def on(backend, x):
    if backend == "xpu":
        x = x.to("xpu")
    elif backend in ("mps", "metal"):
        x = x.to("mps")
    return x
