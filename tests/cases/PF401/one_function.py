"""A script in which one function alone needs a device has it there; one that holds a list is no script."""
import torch
from torch import nn

__all__ = ["Net"]
__all__ += ["accuracy", "train"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        noise = torch.randn(x.shape).cuda()  # want: PF401
        return self.layer(x + noise)


def train(loader):
    model = Net().cuda()  # want: PF401
    for x, y in loader:
        nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()  # want: PF401 # want: PF401


def accuracy(output, target):
    return (output.argmax(1) == target).float().mean()


if __name__ == "__main__":
    train([(torch.randn(4, 3), torch.tensor([0, 1, 0, 1]))])
