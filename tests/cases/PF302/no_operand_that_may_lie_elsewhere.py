"""What is copied, what only its size is read of, an index, and 0-dim tensors where the operator takes them from the CPU."""
# run: print([round(value, 3) for value in everything()])
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 2).to(device)
scale = torch.full((2, 3), 0.5).to(device)


def everything():
    row = torch.ones(3)
    size = torch.zeros(4, 2, 3)
    index = torch.tensor([0, 1])
    number = torch.tensor(0.25)
    found = [
        scale.select_scatter(row, 0, 1),
        scale.expand_as(size),
        torch.index_put(scale, (index,), torch.ones(2, 3).to(device)),
        scale.clone().copy_(torch.zeros(2, 3)),
        scale.clone().fill_(number),
        torch.lerp(scale, net(scale).mean(), number),
        scale.fmod(number),
        torch.maximum(scale, number),
        torch.where(scale > 1, scale, number),
        scale.masked_fill(scale > 0, number),
    ]
    return [one.sum().item() for one in found]


if __name__ == "__main__":
    print([round(value, 3) for value in everything()])
