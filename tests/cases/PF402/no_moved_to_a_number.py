"""`.to` of something that is not torch's, a number that may be None or the CPU's, and a number that a condition has chosen."""
import argparse

import torch
from quantities import Length

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int)
parser.add_argument("--card", type=int, default=-1)
parser.add_argument("--local_rank", type=int, default=0)
args = parser.parse_args([])


def place(x, gpu, several):
    if args.card >= 0:
        x = x.to(f"cuda:{args.card}")
    device = torch.device(f"cuda:{args.card}") if args.card >= 0 else torch.device("cpu")
    mine = torch.device("cuda", args.local_rank)
    given = torch.device("cuda", gpu)
    return x.to(device), given, mine, [x.to(f"cuda:{number}") for number in range(several)]


print(Length(3).to(0), place, torch.device(f"cuda:{args.gpu}"))
