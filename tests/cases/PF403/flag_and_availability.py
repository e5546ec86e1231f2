"""The device asks for the flag and for CUDA; where only the flag was set, the guarded code raised."""
import torch
from torch import nn


class Trainer:
    def __init__(self, use_cuda=True):
        self._use_cuda = use_cuda
        self._device = torch.device("cpu")
        if self._use_cuda and torch.cuda.device_count():
            self._device = torch.device("cuda")
        self._model = nn.Linear(2, 1)
        if self._use_cuda:  # want: PF403
            self._model.cuda()


print(Trainer(torch.cuda.is_available())._model)
