"""A GPU that is made the current one for a block: without CUDA the block runs all the same."""
import argparse

import torch
from torch import cuda, nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
parser.add_argument("--gpu_ids", type=int, nargs="+", default=[0, 1])
args = parser.parse_args([])
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

with torch.cuda.device(0 if torch.cuda.is_available() else -1):  # want: PF406
    net = nn.Linear(2, 2).to(device)

with cuda.device(args.gpu if torch.cuda.is_available() else -1), torch.no_grad():  # want: PF406
    print(net(torch.ones(1, 2, device=device)).shape)


def main(gpu_id):
    with torch.cuda.device(args.gpu_ids[0] if torch.cuda.is_available() else -1):  # want: PF406
        with torch.cuda.device("cuda:0" if torch.cuda.is_available() else -1):  # want: PF406
            torch.cuda.empty_cache()
    with torch.cuda.device(gpu_id if torch.cuda.is_available() else -1):  # want: PF406
        return net(torch.ones(2, 2, device=device)).shape


print(main(args.gpu))
