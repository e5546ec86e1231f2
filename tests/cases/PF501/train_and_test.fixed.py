# rules: all
# options: add-placement
import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, loader, optimizer, criterion):
    total = 0.0
    for batch_idx, (data, target) in enumerate(loader):
        data = data.to(device)
        target = target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = criterion(output, target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def test(model, loader, criterion):
    model.eval()
    correct = 0
    predictions = []
    with torch.no_grad():
        for data, target in loader:
            data = data.to(device)
            target = target.to(device)
            output = model(data)
            pred = output.argmax(dim=1)
            correct += pred.eq(target).sum().item()
            predictions.append(pred.cpu().numpy())
    return correct, np.concatenate(predictions)


torch.manual_seed(1)
inputs = torch.randn(64, 10)
labels = (inputs.sum(dim=1) > 0).long()
train_loader = DataLoader(TensorDataset(inputs[:48], labels[:48]), batch_size=16)
test_loader = DataLoader(TensorDataset(inputs[48:], labels[48:]), batch_size=16)
model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)  # want: PF501
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0])).to(device)
optimizer = optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    loss = train(model, train_loader, optimizer, criterion)
    correct, predictions = test(model, test_loader, criterion)
    print(epoch, round(loss, 4), correct, predictions.shape)
