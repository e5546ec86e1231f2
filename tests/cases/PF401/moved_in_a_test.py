"""A move in a test does not test for CUDA: the code below the test is not guarded."""
import torch

net = torch.nn.Linear(4, 2).cuda()  # want: PF401


def step(n):
    x = torch.ones(n, 4)
    if (y := torch.ones(n, 2).cuda()).sum() > 0:  # want: PF401
        return (net(x.cuda()) - y).mean()  # want: PF401
    if hasattr(x, "cuda"):
        return net(x.cuda()).sum()  # want: PF401
    return None
# run: print(step(8) is None)
# run: print(step(0) is None)
