"""A function inside a function has its own."""
import torch


def sliced(step):
    def run(net, x):
        parts = []
        for part in x.split(step):
            parts.append(net(part.float().cuda()))  # want: PF401
        return torch.cat(parts).cuda()  # want: PF401

    return run
# run: from drive import device
# run: print(sliced(2)(torch.nn.Linear(3, 1).to(device), torch.ones(5, 3)).sum().item())
