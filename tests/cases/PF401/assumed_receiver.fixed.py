# options: unsafe
"""What comes from elsewhere is taken to be torch's."""
import torch
from nets import Generator

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

gen = Generator(3).to(device)  # want: PF401 unsafe
print(gen)


def place(thing):
    return thing.to(device)  # want: PF401 unsafe
# run: print(place(torch.ones(2)).sum().item())
