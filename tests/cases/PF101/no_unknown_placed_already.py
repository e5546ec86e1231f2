"""What the factory makes is not known, but it was placed before the wrap: the second move changes nothing."""
import torch
from torch.nn.parallel import DistributedDataParallel

from models import Generator


def train(rank, world):
    device = torch.device("cuda:{:d}".format(rank))
    generator = Generator(4).to(device)
    if world > 1:
        generator = DistributedDataParallel(generator, device_ids=[rank]).to(device)
    return generator
