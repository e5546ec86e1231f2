"""A main(args) with everything in the wrong order."""
import argparse
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self):
        super(ConvNet, self).__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.fc1 = nn.Linear(4 * 4 * 4, 3)

    def forward(self, x):
        return self.fc1(torch.relu(self.conv1(x)).flatten(1))


def main(args):
    torch.manual_seed(46)
    os.makedirs(args.save_dir, exist_ok=True) if args.save_dir else None
    train_set = TensorDataset(torch.randn(32, 1, 6, 6), torch.randint(0, 3, (32,)))
    train_loader = DataLoader(train_set, batch_size=8)

    model = ConvNet()
    # stochastic gradient descent, as in the paper
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.1)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    model = nn.DataParallel(model)
    model.to(device)  # all replicas start from here
    criterion = nn.CrossEntropyLoss().to(device)

    for epoch in range(args.epochs):
        model.train()
        for step, (images, labels) in enumerate(train_loader):
            outputs = model(images)
            loss = criterion(outputs, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print('Epoch [%d/%d], Loss: %.4f' % (epoch + 1, args.epochs, loss.item()))


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--lr', type=float, default=0.05)
    parser.add_argument('--epochs', type=int, default=2)
    parser.add_argument('--save-dir', default='')
    main(parser.parse_args())
