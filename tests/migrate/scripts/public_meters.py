# As large image classification is often written: meters, top-k accuracy, a rate that falls by steps.
import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("-b", "--batch-size", default=16, type=int)
parser.add_argument("--lr", default=0.1, type=float)
parser.add_argument("-p", "--print-freq", default=3, type=int)


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


def adjust_learning_rate(optimizer, epoch, args):
    lr = args.lr * (0.1 ** (epoch // 30))
    for group in optimizer.param_groups:
        group["lr"] = lr


def train(loader, model, criterion, optimizer, epoch, device, args):
    losses = AverageMeter("Loss")
    top1 = AverageMeter("Acc@1")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        correct = (output.argmax(dim=1) == target).float().mean()
        losses.update(loss.item(), images.size(0))
        top1.update(correct.item() * 100, images.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        elapsed = time.time() - end
        end = time.time()
        if i % args.print_freq == 0 and elapsed >= 0:
            print(f"Epoch: [{epoch}][{i}/{len(loader)}] Loss {losses.val:.4f} ({losses.avg:.4f}) Acc@1 {top1.avg:.3f}")


def main():
    args = parser.parse_args()
    torch.manual_seed(51)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Flatten(), nn.Linear(48, 16), nn.ReLU(), nn.Linear(16, 5))
    model = torch.nn.DataParallel(model).to(device)
    criterion = nn.CrossEntropyLoss().to(device)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    dataset = TensorDataset(torch.randn(96, 3, 4, 4), torch.randint(0, 5, (96,)))
    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, num_workers=0, pin_memory=False)
    for epoch in range(args.epochs):
        adjust_learning_rate(optimizer, epoch, args)
        train(loader, model, criterion, optimizer, epoch, device, args)
        torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, "last.pth.tar")


if __name__ == "__main__":
    main()
