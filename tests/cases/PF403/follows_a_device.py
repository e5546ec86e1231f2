"""A guard that asks the type of a device: what moves under it goes to that device."""
import torch
from torch import nn


def narrow(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.ones(n)
    if device.type == "cuda":  # want: PF403
        x = x.cuda()
    return x


def wide(n):
    device = torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")
    x = torch.ones(n)
    if device.type == "cuda":  # want: PF403
        x = x.cuda()
    return x


class Runner:
    def __init__(self, model, device):
        self.device = torch.device(device)
        self.model = model.to(self.device)

    def place(self, batch):
        if self.device.type == "cuda":  # want: PF403 note
            batch = {name: x.cuda(device=self.device, non_blocking=True) for name, x in batch.items()}
        return batch

    def score(self, n):
        x = torch.ones(n)
        if self.device.type == "cuda":  # want: PF403
            x = x.cuda()
        return self.model(x)


# run: gpu = "cuda" if torch.cuda.is_available() else "cpu"
# run: model = nn.Linear(2, 1)
# run: nn.init.ones_(model.weight), nn.init.ones_(model.bias)
# run: runner = Runner(model, gpu)
# run: print(narrow(2).device.type == gpu, wide(2).device.type == gpu, runner.score(2).item(), runner.place({"x": torch.ones(1)})["x"].device.type == gpu)
