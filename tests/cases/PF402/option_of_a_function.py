# options: unsafe
"""The number of a GPU is an option of the command line that a function parses, and a caller passes."""
import argparse

import torch


def parse(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int, default=0)
    return parser.parse_args(arguments)


def train(options):
    device = torch.device(f"cuda:{options.gpu}")  # want: PF402 unsafe
    return torch.ones(2).to(device).sum()


def main():
    args = parse([])
    device = torch.device(f"cuda:{args.gpu}")  # want: PF402 unsafe
    print(torch.ones(2).to(device).sum().item(), train(args).item())


main()
