"""A method leaves its result where the tensor lies as the function does; so does the method that works in place."""
# run: print([round(value, 3) for value in everything()])
import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = nn.Linear(3, 2).to(device)
scale = torch.full((2, 3), 0.5).to(device)


def everything():
    a = torch.ones(2, 3, device=device)  # want: PF302
    b = torch.ones(2, 3, device=device)  # want: PF302
    c = torch.ones(2, 3, device=device)  # want: PF302
    d = torch.ones(2, 3, device=device)  # want: PF302
    e = torch.ones(2, 3, device=device)  # want: PF302
    found = [net(a.sin()), net(torch.expm1(b)), net(c.cos_()), net(F.softsign(d)), net(e.logit(0.1).nan_to_num())]
    f = torch.ones(2, 3, device=device)  # want: PF302
    g = torch.zeros(2, 3, device=device)  # want: PF302
    h = torch.ones(2, 1, dtype=torch.long, device=device)  # want: PF302
    low = torch.tensor(0.1, device=device)  # want: PF302
    found += [scale.maximum(f), torch.hypot(scale, g), scale.take_along_dim(h, 1), scale.clamp(min=low)]
    return [one.sum().item() for one in found]


if __name__ == "__main__":
    print([round(value, 3) for value in everything()])
