# The wrap is unconditional, and CUDA is spelled out as older scripts do.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
net = nn.Linear(5, 3)
net = nn.DataParallel(net).cuda()
data = TensorDataset(torch.randn(64, 5), torch.randint(0, 3, (64,)))
train_loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=0)
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(1, 3):
    running = 0.0
    for batch, (images, labels) in enumerate(train_loader):
        images, labels = images.cuda(), labels.cuda()
        optimizer.zero_grad()
        outputs = net(images)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print("epoch %d loss %.4f" % (epoch, running / len(train_loader)))
torch.save(net.state_dict(), "net.pt")
