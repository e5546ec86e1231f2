"""What may be None or text, is set to something else, or is not the only GPU: shown, never applied."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
parser.add_argument("--device-id", default=0)
parser.add_argument("--rank", type=int, default=0, nargs="*")
args = parser.parse_args()


def several(x, gpu=0, other=1):
    return x.cuda(gpu), x.cuda(other)  # want: PF401 display  # want: PF401 display


def options(x):
    return x.cuda(args.gpu), x.cuda(args.device_id), x.cuda(args.rank)  # want: PF401 display  # want: PF401 display  # want: PF401 display


def true(x, gpu=True):
    return torch.relu(x).cuda(gpu)  # want: PF401 display


def set_again(x, gpu=0):
    gpu = gpu or None
    return torch.relu(x).cuda(gpu)  # want: PF401 display
