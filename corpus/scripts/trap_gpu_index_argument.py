"""--gpu N or nothing: .cuda(None) is the current card, .to(None) would stay on the host."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument('--gpu', type=int, default=None, help='GPU id to use')
parser.add_argument('--second', type=int, default=1)


def main():
    args = parser.parse_args()
    torch.manual_seed(115)
    model = nn.Linear(3, 1)
    if torch.cuda.is_available():
        model = model.cuda(args.gpu)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        x = torch.randn(5, 3)
        if torch.cuda.is_available():
            x = x.cuda(args.gpu, non_blocking=True)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))
    if torch.cuda.device_count() > args.second:
        copy = nn.Linear(3, 1).cuda(args.second)
        print(next(copy.parameters()).get_device() == args.second)


if __name__ == '__main__':
    main()
