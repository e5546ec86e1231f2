# options: unsafe
# before: clean: nothing is placed
"""The docstring of a class gives a parameter the type of a list of modules."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x, scale):
        return self.fc(x) * scale


class Several(nn.Module):
    """Several blocks.

    Args:
        blocks (`list[Block]`):
            They run one after the other.
    """

    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)  # want: PF306 unsafe, warning

    def forward(self, x, scales):
        for i, (scale, block) in enumerate(zip(scales, self.blocks)):
            x = block(x, scale)
        return x


torch.manual_seed(0)
print(Several([Block(2), Block(2)])(torch.ones(1, 2), [1, 2]).sum().item())
