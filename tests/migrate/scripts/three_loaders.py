import json
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def set_seed(seed=0):
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def get_dataloaders(batch_size):
    x = torch.randn(160, 1, 6, 6)
    y = torch.randint(0, 5, (160,))
    train = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=batch_size, shuffle=True)
    valid = DataLoader(TensorDataset(x[96:128], y[96:128]), batch_size=batch_size, shuffle=False)
    test = DataLoader(TensorDataset(x[128:], y[128:]), batch_size=batch_size, shuffle=False)
    return train, valid, test


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.fc1 = nn.Linear(4 * 4 * 4, 5)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = x.view(x.size(0), -1)
        return F.log_softmax(self.fc1(x), dim=1)


def train(model, device, loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        if batch_idx % 3 == 0:
            print('Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f}'.format(
                epoch, batch_idx * len(data), len(loader.dataset),
                100. * batch_idx / len(loader), loss.item()))


def test(model, device, loader, name='Test'):
    model.eval()
    test_loss = 0
    correct = 0
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            test_loss += F.nll_loss(output, target, reduction='sum').item()
            pred = output.argmax(dim=1, keepdim=True)
            correct += pred.eq(target.view_as(pred)).sum().item()
    test_loss /= len(loader.dataset)
    acc = 100. * correct / len(loader.dataset)
    print('{} set: Average loss: {:.4f}, Accuracy: {}/{} ({:.0f}%)'.format(name, test_loss, correct, len(loader.dataset), acc))
    return test_loss, acc


def main():
    set_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader, valid_loader, test_loader = get_dataloaders(16)
    model = CNN().to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=0.5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    history = []
    best = None
    for epoch in range(1, 4):
        train(model, device, train_loader, optimizer, epoch)
        loss, acc = test(model, device, valid_loader, 'Valid')
        history.append({'epoch': epoch, 'loss': loss, 'acc': acc})
        if best is None or loss < best:
            best = loss
            torch.save(model.state_dict(), 'best.pt')
        scheduler.step()
    model.load_state_dict(torch.load('best.pt', map_location=device))
    test(model, device, test_loader)
    with open('history.json', 'w') as f:
        json.dump(history, f)


if __name__ == '__main__':
    main()
