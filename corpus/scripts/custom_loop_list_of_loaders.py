"""A loop over zip() of two loaders and one over a loader built inline."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(70)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

source_set = TensorDataset(torch.randn(32, 5), torch.randint(0, 2, (32,)))
target_set = TensorDataset(torch.randn(32, 5) + 0.5)
source_loader = DataLoader(source_set, batch_size=8)
target_loader = DataLoader(target_set, batch_size=8)

features = nn.Linear(5, 6).to(device)
classifier = nn.Linear(6, 2).to(device)
domain = nn.Linear(6, 2).to(device)
params = [*features.parameters(), *classifier.parameters(), *domain.parameters()]
optimizer = torch.optim.SGD(params, lr=0.05)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    for (xs, ys), (xt,) in zip(source_loader, target_loader):
        fs, ft = features(xs), features(xt)
        loss = criterion(classifier(fs), ys)
        loss = loss + 0.1 * (domain(fs).mean() - domain(ft).mean()).abs()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 5))

hits = 0
for xs, ys in DataLoader(source_set, batch_size=16):
    hits += (classifier(features(xs)).argmax(1) == ys).sum().item()
print("hits", hits)
