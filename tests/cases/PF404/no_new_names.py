import torch
from torch.amp import autocast

with torch.amp.autocast("cuda", enabled=False), autocast("cpu"), torch.autocast("cuda", enabled=False):
    print(torch.ones(1))
