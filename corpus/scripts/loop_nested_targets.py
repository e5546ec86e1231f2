"""Multi-task regression: the data set returns an input and a pair of targets."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoTargets(Dataset):
    def __init__(self, n=40):
        self.inputs = torch.randn(n, 5)
        self.kind = torch.randint(0, 3, (n,))
        self.value = torch.randn(n)

    def __len__(self):
        return self.inputs.shape[0]

    def __getitem__(self, index):
        return self.inputs[index], (self.kind[index], self.value[index])


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(5, 8)
        self.kind = nn.Linear(8, 3)
        self.value = nn.Linear(8, 1)

    def forward(self, x):
        h = F.relu(self.shared(x))
        return self.kind(h), self.value(h).squeeze(1)


torch.manual_seed(60)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TwoTargets(), batch_size=8)
model = MultiTask()
model.to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(2):
    for i, (x, (kind, value)) in enumerate(loader):
        kind_logits, value_hat = model(x)
        loss = F.cross_entropy(kind_logits, kind) + F.mse_loss(value_hat, value)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "batch", i, "loss", round(loss.item(), 5))
