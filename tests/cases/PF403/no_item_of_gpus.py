# options: unsafe
"""Another item, another question, or one that only some numbers answer."""
import torch
from torch import nn


class Trainer:
    def __init__(self, gpus=(-1, -1)):
        self._gpus = list(gpus)

    def other(self, model):
        if self._gpus[0] != -1:  # want: PF403 note
            model = model.cuda(self._gpus[1])
        return model

    def asked(self, model):
        if self._gpus[0] != 3:  # want: PF403 note
            model = model.cuda(self._gpus[0])
        return model

    def either(self, model, fast):
        if self._gpus[0] != -1 and fast:  # want: PF403 note
            model = model.cuda(self._gpus[0])
        return model


print(Trainer().other(nn.Linear(2, 1)), torch.__version__)
