"""Nothing shows that what is passed is the number of a GPU."""
import argparse

import torch


def parse(parser):
    parser.add_argument("--gpu", type=int, default=0)
    return parser


def train(options):
    return torch.ones(2).to(torch.device(f"cuda:{options.gpu}")).sum()


def evaluate(options):
    return torch.ones(2).to(torch.device(f"cuda:{options.gpu}")).sum()


def main(other):
    args = parse(argparse.ArgumentParser()).parse_args()
    train(args)
    train(other)
    evaluate(*args)


main(None)
