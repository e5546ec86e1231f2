"""One entry point for a single GPU, DataParallel and DDP: each arm is right on its own."""
import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def build_model(args, device):
    model = nn.Sequential(nn.Linear(7, 12), nn.ReLU(), nn.Linear(12, 1))
    if args.distributed:
        local_rank = int(os.environ["LOCAL_RANK"])
        model.to(local_rank)
        model = nn.parallel.DistributedDataParallel(model, device_ids=[local_rank])
    elif torch.cuda.device_count() > 1:
        model.to(device)
        model = nn.DataParallel(model)
    else:
        model.to(device)
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()

    torch.manual_seed(0)
    if args.distributed:
        dist.init_process_group("nccl")
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = build_model(args, device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    loader = DataLoader(TensorDataset(torch.randn(32, 7), torch.randn(32, 1)), batch_size=8)
    for epoch in range(args.epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 6))


if __name__ == "__main__":
    main()
