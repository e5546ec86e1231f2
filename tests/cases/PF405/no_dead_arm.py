import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, path, epoch):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        if 0 > 0:
            self.load_state_dict(torch.load(path + str(epoch)))
