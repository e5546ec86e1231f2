"""The module is on the second card, DataParallel looks for it on the first one."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(31)
device = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cpu")
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
parallel = nn.DataParallel(model)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(12, 5), torch.randint(0, 2, (12,))), batch_size=4):
    loss = nn.functional.cross_entropy(parallel(x.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("%.5f" % loss.item())
