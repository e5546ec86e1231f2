"""Train a small convolutional network on synthetic images (single machine, several GPUs)."""
from __future__ import print_function

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description='synthetic image classification')
parser.add_argument('--batch-size', type=int, default=16, metavar='N')
parser.add_argument('--epochs', type=int, default=2, metavar='N')
parser.add_argument('--lr', type=float, default=0.05)
parser.add_argument('--seed', type=int, default=1)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 6, 3)
        self.fc = nn.Linear(6 * 3 * 3, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2)
        return self.fc(x.view(x.size(0), -1))


torch.manual_seed(args.seed)
images = torch.randn(64, 1, 8, 8)
labels = torch.randint(0, 4, (64,))
train_loader = DataLoader(TensorDataset(images, labels), batch_size=args.batch_size)
test_loader = DataLoader(TensorDataset(images[:16], labels[:16]), batch_size=args.batch_size)

model = Net()
optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
model = nn.DataParallel(model)
model.cuda()
criterion = nn.CrossEntropyLoss()


def train(epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
    print('Train Epoch: {}\tLoss: {:.6f}'.format(epoch, loss.item()))


def test():
    model.eval()
    correct = 0
    with torch.no_grad():
        for data, target in test_loader:
            pred = model(data).argmax(dim=1)
            correct += pred.eq(target).sum().item()
    print('Test: {}/{}'.format(correct, len(test_loader.dataset)))


for epoch in range(1, args.epochs + 1):
    train(epoch)
    test()
