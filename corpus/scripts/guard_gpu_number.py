"""Fine-tuning as of 2019: --gpu names one GPU, or none; --ngpu says whether there is any."""
import argparse
import random

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default=0 if torch.cuda.is_available() else None, type=int, help="GPU id to use")
parser.add_argument("--ngpu", default=torch.cuda.device_count(), type=int, help="how many GPUs there are")


def train(args):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    if args.gpu is not None:
        torch.cuda.set_device(args.gpu)
        model = model.cuda(args.gpu)
        cudnn.benchmark = True
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        x, y = torch.randn(6, 4), torch.randint(2, (6,))
        if args.gpu is not None:
            x = x.cuda(args.gpu, non_blocking=True)
            y = y.cuda(args.gpu, non_blocking=True)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 4))


def score(args):
    head = nn.Linear(4, 1)
    if args.ngpu > 0:
        head.cuda()
    x = torch.ones(2, 4)
    if args.ngpu > 0:
        x = x.cuda()
    with torch.no_grad():
        return head(x).sum().item()


if __name__ == "__main__":
    args = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    train(args)
    print(round(score(args), 4))
