# options: unsafe
"""What unknown code makes is moved to a device and switched between training and evaluation: it is a module, and its inputs belong there."""
# run: Player(lambda: nn.Linear(3, 2)).act([1.0, 0.0, 1.0]); Player(lambda: nn.Linear(3, 2)).act_on_array(np.ones((2, 3)))
# run: bench(lambda: nn.Linear(3, 2))
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Player:
    def __init__(self, build):
        self.model = build().to(device).eval()

    def act(self, masks):
        masks = torch.Tensor(masks)
        return self.model(masks.to(device))  # want: PF302 unsafe, warning

    def act_on_array(self, masks):
        masks = torch.from_numpy(masks).float()
        return self.model(masks.to(device))  # want: PF302 unsafe, warning


def bench(build):
    model = build()
    model.to(device)
    model.train()
    noise = torch.randn(2, 3)

    def run():
        return model(noise.to(device))  # want: PF302 unsafe, warning

    return run()
