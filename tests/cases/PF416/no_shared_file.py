# Each process has its file, or the path is not known, or it is no file.
import argparse
import io
import os

import torch
import torch.distributed as dist
from torch import nn


def main(folder):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int)
    parser.add_argument("--local_rank", type=int)
    parser.add_argument("--out")
    args = parser.parse_args()
    args.out = os.path.join("out", str(args.local_rank))
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    state = nn.Linear(3, 2).state_dict()
    torch.save(state, f"rank{rank}.pt")
    torch.save(state, f"gpu{args.gpu}.pt")
    torch.save(state, "rank%d.pt" % args.local_rank)
    torch.save(state, os.path.join(args.out, "net.pt"))
    torch.save(state, os.path.join(folder, "net.pt"))
    torch.save(state, os.devnull)
    torch.save(state, io.BytesIO())


if __name__ == "__main__":
    main(os.environ["OUT"])
