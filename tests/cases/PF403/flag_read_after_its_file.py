# The script reads its settings first, and only then knows where the model goes.
import torch
from torch import nn

from settings import cfg, load_settings

load_settings("train.yml")
net = nn.Linear(2, 2)
if cfg.CUDA:  # want: PF403
    net.cuda()


def noise():
    z = torch.zeros(4, 2)
    if cfg.CUDA:  # want: PF403
        z = z.cuda()
    return net(z)


print(noise())
