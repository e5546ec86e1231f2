"""The guard also tests that the moved tensor is not on a GPU, and nothing shows that the two meet."""
# run: x = torch.ones(3, 2, device="cuda" if torch.cuda.is_available() else "cpu")
# run: print(Loose()(x, None).sum().item())
import torch
from torch import nn


class Loose(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = torch.tensor([1.0, 3.0])

    def forward(self, inputs, labels):
        if inputs.is_cuda and not self.alpha.is_cuda:  # want: PF403 unsafe
            self.alpha = self.alpha.cuda()
        return self.alpha
