# The name is 0, is bound twice, or is a parameter or an option.
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

NONE = 0
SOME = 2
if not torch.cuda.is_available():
    SOME = 0


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).cuda()


def train(workers=2):
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    model = nn.Linear(3, 2).cuda()
    for x in DataLoader(Images(), batch_size=4, num_workers=NONE):
        model(x)
    for x in DataLoader(Images(), batch_size=4, num_workers=SOME):
        model(x)
    for x in DataLoader(Images(), batch_size=4, num_workers=workers):
        model(x)
    for x in DataLoader(Images(), batch_size=4, num_workers=args.workers):
        model(x)
