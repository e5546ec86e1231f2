"""Options as a dict: the flag is an item of it, settled in one function and asked in others."""
import argparse

import torch
from torch import nn


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument('--no_cuda', dest='cuda', action='store_false')
    parser.add_argument('--lr', type=float, default=0.1)
    return vars(parser.parse_args())


class Tagger:
    def __init__(self, opt):
        self.opt = opt
        self.model = nn.Sequential(nn.Embedding(10, 8), nn.Linear(8, 4))
        self.crit = nn.CrossEntropyLoss()
        if opt['cuda']:
            self.model.cuda()
            self.crit.cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=opt['lr'])

    def update(self, words, tags):
        if self.opt['cuda']:
            words = words.cuda()
            tags = tags.cuda()
        self.optimizer.zero_grad()
        loss = self.crit(self.model(words).view(-1, 4), tags.view(-1))
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    opt = parse()
    opt['cuda'] = opt['cuda'] and torch.cuda.is_available()
    torch.manual_seed(5)
    if opt['cuda']:
        torch.cuda.manual_seed(5)
    tagger = Tagger(opt)
    words, tags = torch.randint(0, 10, (6, 5)), torch.randint(0, 4, (6, 5))
    for epoch in range(3):
        print('epoch', epoch, round(tagger.update(words, tags), 5))

    weights = torch.ones(4)
    if opt['cuda']: weights = weights.cuda()
    scores = tagger.model(words.cuda() if opt['cuda'] else words).sum((0, 1))
    print('weighted', round((scores * weights).sum().item(), 5))


if __name__ == '__main__':
    main()
