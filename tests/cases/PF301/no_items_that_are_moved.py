import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.ones(16, 5), torch.randint(0, 2, (16,))), batch_size=8)
torch.manual_seed(4)
model = nn.Linear(5, 2).to(device)
for batch in loader:
    batch = [t for t in batch]
    batch[0] = batch[0].to(device)
    batch[1] = batch[1].to(device)
    x, y = batch
    print(f"{nn.functional.cross_entropy(model(x), y).item():.4f}")
for batch in loader:
    batch = [t for t in batch]
    for i in range(len(batch)):
        batch[i] = batch[i].to(device)
    print(f"{nn.functional.cross_entropy(model(batch[0]), batch[1]).item():.4f}")
for batch in loader:
    batch = [t for t in [t.to(device) for t in batch]]
    x, y = (t for t in batch)
    print(f"{nn.functional.cross_entropy(model(x), y).item():.4f}")
