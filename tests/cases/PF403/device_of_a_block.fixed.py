# options: unsafe
"""A device that is bound for a block of its own, and read there only, is not the one of what is moved."""
import argparse
import tempfile

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=None)
parser.add_argument("--export", action="store_true")


def load(model, path, use_cuda):
    torch_device = torch.device("cuda" if use_cuda else "cpu")
    model.to(torch_device)
    if use_cuda:  # want: PF403 unsafe
        model.load_state_dict(torch.load(path))
    else:
        device = torch.device("cpu")
        model.load_state_dict(torch.load(path, map_location=device))
    return model.eval()


def main():
    args = parser.parse_args()
    model = nn.Linear(2, 1)
    torch_device = torch.device(f"cuda:{args.gpu}" if args.gpu is not None else "cpu")
    if args.gpu is not None:  # want: PF403 unsafe
        torch.cuda.set_device(args.gpu)
    model = model.to(torch_device)
    if args.export:
        device = next(model.parameters()).device
        print(torch.ones(1, device=device))
    with tempfile.NamedTemporaryFile() as file:
        torch.save(model.state_dict(), file.name)
        print(load(nn.Linear(2, 1), file.name, torch.cuda.is_available()))


main()
