"""A function inside a function has its own."""
import torch


def sliced(step):
    def run(net, x):
        parts = []
        for part in x.split(step):
            parts.append(net(part.float().cuda()))  # want: PF401
        return torch.cat(parts).cuda()  # want: PF401

    return run
