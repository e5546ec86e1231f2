import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    def __init__(self, n):
        self.x = torch.randn(n, 6)
        self.y = torch.randint(0, 2, (n,))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        other = (index * 7 + 3) % len(self.x)
        same = float(self.y[index] == self.y[other])
        return self.x[index], self.x[other], torch.tensor(same, dtype=torch.float32)


class SiameseNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward_once(self, x):
        return self.net(x)

    def forward(self, input1, input2):
        return self.forward_once(input1), self.forward_once(input2)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, output1, output2, label):
        d = F.pairwise_distance(output1, output2)
        return torch.mean((1 - label) * d.pow(2) + label * torch.clamp(self.margin - d, min=0.0).pow(2))


torch.manual_seed(0)
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_dataloader = DataLoader(PairDataset(40), shuffle=True, batch_size=8)
net = SiameseNetwork().to(DEVICE)
criterion = ContrastiveLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.0005)
for epoch in range(2):
    for i, data in enumerate(train_dataloader, 0):
        img0, img1, label = data  # want: PF301
        img0 = img0.to(DEVICE)
        img1 = img1.to(DEVICE)
        label = label.to(DEVICE)
        optimizer.zero_grad()
        output1, output2 = net(img0, img1)
        loss_contrastive = criterion(output1, output2, label)
        loss_contrastive.backward()
        optimizer.step()
    print("Epoch number {} Current loss {:.4f}".format(epoch, loss_contrastive.item()))
