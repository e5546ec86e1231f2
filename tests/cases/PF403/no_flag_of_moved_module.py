"""A flag of a module does not show where it is: what meets nothing there gets no safe device, and no other flag does where nothing is proven."""
# run: g = torch.cuda.is_available(); net = Net(g).to("cuda" if g else "cpu")
# run: x = torch.ones(2, 3).to("cuda" if g else "cpu"); print(net.start(x)[0].shape, net(x).shape)
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, use_gpu=False):
        super().__init__()
        self.use_gpu = use_gpu
        self.fc = nn.Linear(3, 3)

    def extra_repr(self):
        return f"use_gpu={self.use_gpu}"

    def forward(self, x):
        theta = torch.zeros(x.size(0), 2, 3)
        theta[:, :, -1] = x[:, :2]
        if self.use_gpu:  # want: PF403 unsafe
            theta = theta.cuda()
        return theta

    def start(self, x):
        state = torch.zeros(2, x.size(0), 3)
        memory = torch.zeros(2, x.size(0), 3)
        if self.use_gpu:  # want: PF403 unsafe
            state, memory = state.cuda(), memory.cuda()
        return state, memory
