# options: unsafe
"""The number of a GPU as an item of a list."""
import torch
from torch import nn


class Trainer:
    def __init__(self, cuda_device=-1):
        self._devices = [cuda_device]

    def place(self, model):
        device = torch.device(
            f"cuda:{self._devices[0]}" if self._devices[0] != -1 else "cpu"
        )
        # want: PF403 unsafe
        return model.to(device)


print(Trainer(0 if torch.cuda.is_available() else -1).place(nn.Linear(2, 1)))
