# The script reads its settings first, and only then knows where the model goes.
import torch
from torch import nn

from settings import cfg, load_settings

load_settings("train.yml")
net = nn.Linear(2, 2)
device = torch.device("cuda" if cfg.CUDA else "cpu")
# want: PF403
net.to(device)


def noise():
    device = torch.device("cuda" if cfg.CUDA else "cpu")
    z = torch.zeros(4, 2, device=device)  # want: PF403
    return net(z)


print(noise())
