"""The types in `kind` have no fix, because the flag is not about CUDA: no new device is defined beside them."""
import torch


def evaluate(model, loader, half, shared):
    kind = torch.cuda.HalfTensor if half else torch.cuda.FloatTensor  # want: PF407 report
    shared.append(kind)
    seconds = 0.0
    for images in loader:
        model(images.type(kind))
        seconds += 1.0
    return torch.cuda.FloatTensor([seconds, 1.0])  # want: PF407 report
