import torch.optim as optim

from lib.losses import ContrastiveLoss


class Trainer(object):
    def __init__(self, model, opt):
        self.model = model
        self.opt = opt
        self.criterion = ContrastiveLoss()
        if opt.cuda:
            self.criterion = self.criterion.cuda()
        self.optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def train(self, loader):
        total = 0.0
        for left, right, label in loader:
            if self.opt.cuda:
                left, right, label = left.cuda(), right.cuda(), label.cuda()
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(left, right), label)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)
