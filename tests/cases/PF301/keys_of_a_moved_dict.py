import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Pairs(Dataset):
    def __init__(self):
        self.data = torch.randn(8, 2, 5)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {"one": self.data[i, 0], "two": self.data[i, 1]}


net = nn.Linear(5, 3).to(device)
for batch in DataLoader(Pairs(), batch_size=4):
    for k in batch:
        batch[k] = batch[k].to(device)
    print([round(net(batch[k]).sum().item(), 4) for k in ("one", "two")])
for batch in DataLoader(Pairs(), batch_size=4):
    batch = {k: v.to(device) for k, v in batch.items()}
    print([round(net(batch[k]).sum().item(), 4) for k in ("one", "two")])
for batch in DataLoader(Pairs(), batch_size=4):
    print([round(batch[k].sum().item(), 4) for k in ("one", "two")])
