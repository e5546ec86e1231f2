# rules: PF401,PF402
# Some runs of the function need CUDA all the same: half of it would be converted.
import torch


def some_runs(x, other):
    device = torch.device("cuda")  # want: PF402 report
    if other:
        x = x * torch.ones(2).cuda(1).sum().item()  # want: PF401 report
    return x.to(device)
