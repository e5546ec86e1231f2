"""A function that takes devices from a part of its argument has a device: a new one beside it is a guess. One that does not gets one."""
import torch
import torch.nn as nn


class Window(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("weight", torch.ones(size))


class Denoiser:
    def __init__(self, vocoder):
        self.window = Window(4).cuda()  # want: PF401 unsafe
        self.bias = torch.zeros(4, device=vocoder.upsample.weight.device)


def plain(vocoder):
    window = Window(4).cuda()  # want: PF401
    print(window.weight.sum().item(), vocoder is None)


# run: plain(None)
