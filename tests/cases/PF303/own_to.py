import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class State:
    def __init__(self):
        self.value = torch.zeros(3)

    def to(self, device):
        self.value = self.value.to(device)

    def cuda(self):
        self.value = self.value.cuda()


state = State()
state.to(device)
if torch.cuda.is_available():
    state.cuda()
ema = torch.optim.swa_utils.AveragedModel(nn.Linear(2, 2))
ema.to(device)
print(state.value.shape)
