# The old name is for a torch that has no torch.amp: the test of the version has a name.
import torch


def at_least(have, want):
    return tuple(int(part) for part in have.split("+")[0].split(".")[:2]) >= want


TORCH_NEW = at_least(torch.__version__, (1, 13))


def context(device, enabled):
    if TORCH_NEW:
        return torch.amp.autocast(device, enabled=enabled)
    else:
        return torch.cuda.amp.autocast(enabled and device == "cuda")  # want: PF404 report


def scaler():
    new = torch.__version__ >= "2.3"
    if not new:
        return torch.cuda.amp.GradScaler()  # want: PF404 report
    return torch.amp.GradScaler("cuda")
