# Training and validation in one function, with the same names.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(20)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_set = TensorDataset(torch.randn(96, 5), torch.randint(0, 3, (96,)))
test_set = TensorDataset(torch.randn(40, 5), torch.randint(0, 3, (40,)))
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
test_loader = DataLoader(test_set, batch_size=10, shuffle=False)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
if torch.cuda.device_count() > 1:
    net = nn.DataParallel(net)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(2):
    net.train()
    train_loss, train_correct, train_total = 0.0, 0, 0
    for images, labels in train_loader:
        images, labels = images.to(device), labels.to(device)
        outputs = net(images)
        loss = criterion(outputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
        predicted = outputs.argmax(dim=1)
        train_total += labels.size(0)
        train_correct += (predicted == labels).sum().item()
    print(f"train {train_loss / len(train_loader):.4f} {100.0 * train_correct / train_total:.2f} {train_correct}/{train_total}")
    net.eval()
    test_correct, test_total, test_loss = 0, 0, 0.0
    with torch.no_grad():
        for images, labels in test_loader:
            images, labels = images.to(device), labels.to(device)
            outputs = net(images)
            test_loss += criterion(outputs, labels).item()
            predicted = outputs.argmax(dim=1)
            test_total += labels.size(0)
            test_correct += (predicted == labels).sum().item()
    print(f"test {test_loss / len(test_loader):.4f} {test_correct}/{test_total}")
