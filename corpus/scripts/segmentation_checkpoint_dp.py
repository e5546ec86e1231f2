"""Everything at once inside main(): resume, scheduler, wrap, placement, validation."""
import argparse
import os

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class SegNet(nn.Module):
    def __init__(self, classes=3):
        super(SegNet, self).__init__()
        self.down = nn.Conv2d(3, 8, 3, padding=1)
        self.up = nn.Conv2d(8, classes, 1)

    def forward(self, x):
        return self.up(torch.relu(self.down(x)))


def validate(loader, model, criterion, device):
    model.eval()
    losses = 0
    with torch.no_grad():
        for image, mask in loader:
            image, mask = image.to(device), mask.to(device)
            losses += criterion(model(image), mask).item()
    return losses / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--resume', default='', metavar='PATH')
    parser.add_argument('--epochs', default=2, type=int)
    args = parser.parse_args()

    torch.manual_seed(64)
    train_set = TensorDataset(torch.randn(16, 3, 6, 6), torch.randint(0, 3, (16, 6, 6)))
    train_loader = DataLoader(train_set, batch_size=4)
    val_loader = DataLoader(train_set, batch_size=8)

    model = SegNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1])
    start_epoch = 0
    if os.path.isfile(args.resume):
        checkpoint = torch.load(args.resume, map_location='cpu')
        start_epoch = checkpoint['epoch']
        model.load_state_dict(checkpoint['state_dict'])
        optimizer.load_state_dict(checkpoint['optimizer'])
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    model = nn.DataParallel(model)
    model = model.to(device)

    for epoch in range(start_epoch, args.epochs):
        model.train()
        for image, mask in train_loader:
            image, mask = image.to(device), mask.to(device)
            loss = criterion(model(image), mask)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print('epoch %d train %.5f val %.5f' % (epoch, loss.item(), validate(val_loader, model, criterion, device)))


if __name__ == '__main__':
    main()
