# options: unsafe
"""What comes from elsewhere is taken to be torch's."""
import torch
from nets import Generator

gen = Generator(3).cuda()  # want: PF401 unsafe
print(gen)


def place(thing):
    return thing.cuda()  # want: PF401 unsafe
# run: print(place(torch.ones(2)).sum().item())
