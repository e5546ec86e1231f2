"""One model over two cards: every index is meant."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class TwoCards(nn.Module):
    def __init__(self):
        super(TwoCards, self).__init__()
        self.part1 = nn.Sequential(nn.Linear(10, 20), nn.ReLU()).cuda(0)
        self.part2 = nn.Linear(20, 5).cuda(1)

    def forward(self, x):
        x = self.part1(x.cuda(0))
        return self.part2(x.cuda(1))


def main():
    torch.manual_seed(113)
    loader = DataLoader(TensorDataset(torch.randn(40, 10), torch.randint(0, 5, (40,))), batch_size=10)
    model = TwoCards()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        for x, y in loader:
            loss = criterion(model(x), y.cuda(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print('epoch', epoch, 'loss', round(loss.item(), 5))


if __name__ == '__main__':
    if torch.cuda.device_count() < 2:
        print('this example needs two GPUs')
    else:
        main()
