# The old name is for a torch that has no torch.amp.
import torch
from torch.cuda import amp

TORCH_VERSION = torch.__version__


def context():
    if "1.5" <= TORCH_VERSION < "1.10":
        return torch.cuda.amp.autocast()  # want: PF404 report
    return torch.autocast("cuda")


def scaler():
    if TORCH_VERSION >= "2.3":
        return torch.amp.GradScaler("cuda")
    else:
        return amp.GradScaler()  # want: PF404 report
