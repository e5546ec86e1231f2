import torch
import torch.nn as nn
import torch.utils.data as data

torch.manual_seed(6)


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1 = nn.Linear(width, width)
        self.fc2 = nn.Linear(width, width)

    def forward(self, x):
        return x + self.fc2(torch.relu(self.fc1(x)))


class ResMLP(nn.Module):
    def __init__(self, width=16, blocks=2, classes=4):
        super().__init__()
        self.blocks = nn.Sequential(*[ResidualBlock(width) for _ in range(blocks)])
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.blocks(x))


def main():
    train_set = data.TensorDataset(torch.randn(64, 16), torch.randint(0, 4, (64,)))
    train_loader = data.DataLoader(train_set, batch_size=16, shuffle=True)

    model = nn.DataParallel(ResMLP()).cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9, weight_decay=1e-4)

    for epoch in range(2):
        for i, (input, target) in enumerate(train_loader):
            input = input.cuda()
            target = target.cuda()

            output = model(input)
            loss = criterion(output, target)

            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print('epoch {0}: loss {1:.5f}'.format(epoch, loss.item()))


if __name__ == '__main__':
    main()
