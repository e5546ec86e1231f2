"""The first GPU, a test for the number of GPUs, and a number from elsewhere."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
args = parser.parse_args([])
several = torch.cuda.device_count() > 2
first = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
chosen = torch.device(f"cuda:{args.gpu}" if torch.cuda.is_available() else "cpu")
print(torch.ones(1).to(first), torch.ones(1).to(chosen), several)
