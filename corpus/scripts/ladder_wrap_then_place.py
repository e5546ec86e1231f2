"""A ladder of set-ups; the DataParallel arm wraps first and places last."""
import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--parallel", choices=["none", "dp", "ddp"], default="dp")
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse()
    torch.manual_seed(81)
    if args.parallel == "ddp":
        dist.init_process_group("nccl")
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    model = nn.Sequential(nn.Linear(6, 9), nn.ReLU(), nn.Linear(9, 3))
    if args.parallel == "ddp":
        model.to(device)
        model = nn.parallel.DistributedDataParallel(model, device_ids=[int(os.environ["LOCAL_RANK"])])
    elif args.parallel == "dp":
        model = torch.nn.DataParallel(model)
        model = model.to(device)
    else:
        model = model.to(device)

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss().to(device)
    loader = DataLoader(TensorDataset(torch.randn(36, 6), torch.randint(0, 3, (36,))), batch_size=9)
    for epoch in range(args.epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 5))


if __name__ == "__main__":
    main()
