# An attribute of what is imported may be set long after the import: the device is defined where it is used.
# run: print(main("train.yml").shape)
import torch
from torch import nn

from settings import cfg, load_settings


class Trainer:
    def build(self):
        net = nn.Linear(2, 2)
        device = torch.device("cuda" if cfg.CUDA else "cpu")
        # want: PF403
        net.to(device)
        return net

    def noise(self):
        device = torch.device("cuda" if cfg.CUDA else "cpu")
        noise = torch.zeros(4, 2, device=device)  # want: PF403
        return noise


def main(path):
    load_settings(path)
    trainer = Trainer()
    return trainer.build()(trainer.noise())
