"""The methods of an object are converted together: a device in one of them is unsafe if another needs an unsafe fix."""
import torch
from torch import nn


class Flow:
    def __init__(self, wide):
        self.wide = wide
        if wide:
            self.scale = nn.Parameter(torch.ones(3).cuda())  # want: PF401 unsafe

    def sample(self, source):
        noise = source.draw(3)
        if self.wide:
            noise = noise.cuda()  # want: PF401 unsafe
        return noise
