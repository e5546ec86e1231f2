import argparse

import torch


def get_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-cuda", action="store_true", default=False)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    opt = parser.parse_args()
    opt.cuda = not opt.no_cuda and torch.cuda.is_available()
    return opt
