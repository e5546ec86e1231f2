"""Traces that stay where they are, modules that follow their input, and traces of modules that are not known."""
import torch
from torch import nn


class Masked(nn.Module):
    def forward(self, x):
        return x * torch.ones(x.shape[0], 2, device=x.device)


class Follows(nn.Module):
    def forward(self, x):
        return x * x.new_ones(x.shape[0], 2) + torch.zeros_like(x)


class OnHost(nn.Module):
    def forward(self, x):
        return x * torch.ones(1, device="cpu").item()


def export(model, x):
    torch.jit.trace(model, x).save("model.pt")


example = torch.ones(1, 2)
fast = torch.jit.trace(Masked(), example)
print(fast(example))
torch.jit.trace(Follows(), example).save("follows.pt")
torch.jit.trace(OnHost(), example).save("host.pt")
compiled = torch.jit.script(Masked())
compiled.save("compiled.pt")
