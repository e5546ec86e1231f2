# options: unsafe
# A module of which nothing but the place is known, exported with tensors.
# not run: a file is written, and the package onnx is needed
import torch


def export(model, device, path):
    model.to(device)
    model.eval()
    tokens = torch.zeros(2, 3)
    times = torch.zeros(2, 3, device=device)
    torch.onnx.export(model, (tokens.to(device), times), path)  # want: PF302 unsafe, warning
