"""A move in a test does not test for CUDA: the code below the test is not guarded."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

net = torch.nn.Linear(4, 2).to(device)  # want: PF401


def step(n):
    x = torch.ones(n, 4)
    if (y := torch.ones(n, 2, device=device)).sum() > 0:  # want: PF401
        return (net(x.to(device)) - y).mean()  # want: PF401
    if hasattr(x, "cuda"):
        return net(x.to(device)).sum()  # want: PF401
    return None
# run: print(step(8) is None)
# run: print(step(0) is None)
