"""Nothing reads the device of what a tensor meets on some paths, the function asks where it is, or the tensor that is met is another one."""
import torch


def unknown(x, y, weighted):
    weights = torch.ones(3)
    mask = y.to("cuda")
    if weighted:
        x = x * weights
    return x, mask


def asked(x, weighted):
    weights = torch.ones(3)
    if x.is_cuda:
        weights = weights.to(x.device)
    if weighted:
        x = x * weights
    return x


def made_again(x, rows):
    picked = torch.randperm(3).to(x.device)
    for _ in range(2):
        chosen = picked[torch.randperm(len(picked))]
        for row in chosen:
            x = x - x[int(row)]
        picked = torch.FloatTensor(rows)
    return x
