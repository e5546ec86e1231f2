"""Train a tagger. Every file of this repository says .cuda(), as many of 2018 did."""
import argparse

import torch
import torch.nn as nn
import torch.optim as optim

from models import Tagger
from utils.batches import batches
from utils.helpers import to_var
from utils.metrics import AverageMeter, accuracy

parser = argparse.ArgumentParser(description='tagger')
parser.add_argument('--epochs', type=int, default=2)
parser.add_argument('--batch-size', type=int, default=6)
parser.add_argument('--lr', type=float, default=0.05)
args = parser.parse_args()

torch.manual_seed(1)
torch.cuda.manual_seed(1)


def evaluate(model, data):
    model.eval()
    meter = AverageMeter()
    with torch.no_grad():
        for words, tags in batches(data, args.batch_size):
            scores = model(to_var(words))
            meter.update(accuracy(scores, to_var(tags)), words.size(1))
    return meter.avg


def main():
    data = torch.randint(0, 12, (5, 24)), torch.randint(0, 3, (5, 24))
    model = Tagger(12, 8, 3)
    model.cuda()
    criterion = nn.CrossEntropyLoss(weight=torch.FloatTensor([1, 2, 1])).cuda()
    optimizer = optim.Adagrad(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        for words, tags in batches(data, args.batch_size):
            words, tags = to_var(words), to_var(tags)
            optimizer.zero_grad()
            loss = criterion(model(words).view(-1, 3), tags.view(-1))
            loss.backward()
            optimizer.step()
        print('epoch %d loss %.5f accuracy %.4f' % (epoch, loss.item(), evaluate(model, data)))


if __name__ == '__main__':
    main()
