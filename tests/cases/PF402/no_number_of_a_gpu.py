"""Somebody asks first, the answer is used as a number, or what is asked may be no tensor."""
import torch
from nets import Net


class Layer(torch.nn.Module):
    def forward(self, x, mask):
        if x.get_device() >= 0:
            mask = mask.to(x.get_device())
        number = x.get_device()
        if number > 0:
            print(number, mask.to(number))
        where = x.get_device() if x.is_cuda else "cpu"
        try:
            scale = torch.ones(3).to(x.get_device())
        except RuntimeError:
            scale = torch.ones(3)
        if mask.get_device() != x.get_device():
            mask = mask.to(x.get_device())
        torch.cuda.set_device(x.get_device())
        return x * mask.to(where) * scale

    def get_device(self):
        return next(self.parameters()).device

    def place(self, x):
        return x.to(self.get_device())


def run(net, x):
    return net(x.to(net.get_device()))


print(run(Net(), torch.ones(2)))
