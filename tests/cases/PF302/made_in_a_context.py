# Tensors that are made inside a context that a device, a mode of torch or an own class opens may be on the device.
import torch
import torch.nn as nn
from torch.overrides import TorchFunctionMode

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class On:
    def __init__(self, device):
        self.device = torch.device(device)

    def __enter__(self):
        return self.device.__enter__()

    def __exit__(self, *failure):
        return self.device.__exit__(*failure)


class Move(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), options=None):
        made = function(*args, **(options or {}))
        return made.to(device) if isinstance(made, torch.Tensor) else made


def make():
    return torch.ones(1, 3)


with device:
    x = torch.ones(1, 3)
    y = make()
with On(device):
    z = torch.ones(1, 3)
with Move():
    w = torch.ones(1, 3)
print(net(x), net(y), net(z), net(w))
