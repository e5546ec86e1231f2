# options: unsafe
"""Without the move the guard gives what the name has already."""
# run: print(Cam(nn.Linear(3, 2), torch.cuda.is_available())(torch.ones(2, 3)).shape, score(nn.Linear(3, 2), torch.cuda.is_available()))
import torch
from torch import nn


class Cam:
    def __init__(self, model: nn.Module, use_cuda: bool) -> None:
        self.model = model.eval()
        self.use_cuda = use_cuda
        self.device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403 unsafe
        self.model = model.to(self.device)

    def __call__(self, image: torch.Tensor) -> torch.Tensor:
        # want: PF403 unsafe
        image = image.to(self.device)
        return self.model(image)


def score(net: nn.Module, use_cuda):
    best = net
    size = len(list(net.parameters()))
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403 unsafe
    best = net.to(device)
    return size, best.training
