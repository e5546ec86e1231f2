# options: unsafe
"""What a guard places where something is there leaves it as well; what it logs stays, and an option of one's own."""
import argparse
import logging

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--ngpu", type=int, default=torch.cuda.device_count())
args = parser.parse_args()


def decode(args, rnnlm=None):
    model = nn.Linear(2, 1)
    device = torch.device("cuda" if args.ngpu == 1 else "cpu")
    # gpu
    if args.ngpu == 1:  # want: PF403 unsafe
        gpu_id = list(range(args.ngpu))
        logging.info("gpu id: " + str(gpu_id))
    model.to(device)
    if rnnlm:
        rnnlm.to(device)
    return type(model), type(rnnlm)


def both(use_cuda, head=None, tail=None):
    device = torch.device("cuda" if use_cuda else "cpu")
    if head is not None:
        head = head.to(device)
        tail = tail.to(device)
    if use_cuda:  # want: PF403 unsafe
        torch.cuda.manual_seed(1)
    return type(head), type(tail)


print(decode(args, nn.Linear(1, 1)), both(torch.cuda.is_available(), torch.ones(1), torch.ones(1)))
