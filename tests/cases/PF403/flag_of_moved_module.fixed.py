"""In a method of a module, the values of a guard go where the tensors or layers are that they meet: its flag may be out of date."""
# run: g = torch.cuda.is_available(); net = Net(g).to("cuda" if g else "cpu")
# run: x = torch.ones(2, 3).to("cuda" if g else "cpu"); print(net(x).sum().item(), net.noise(2).shape)
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, use_gpu=False):
        super().__init__()
        self.use_gpu = use_gpu
        self.fc = nn.Linear(3, 3)
        nn.init.ones_(self.fc.weight), nn.init.ones_(self.fc.bias)

    def extra_repr(self):
        return f"use_gpu={self.use_gpu}"

    def forward(self, x):
        shift = torch.zeros(x.size(0), 3, device=x.device)  # want: PF403
        return self.fc(x) + shift

    def noise(self, count):
        drawn = torch.ones(count, 3, device=self.fc.weight.device)  # want: PF403
        return self.fc(drawn)
