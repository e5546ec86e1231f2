import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Triplets(Dataset):
    def __init__(self):
        self.data = torch.randn(12, 3, 5)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {"anchor": self.data[i, 0], "positive": self.data[i, 1], "negative": self.data[i, 2]}


net = nn.Linear(5, 3).to(device)
criterion = nn.TripletMarginLoss()
for batch in DataLoader(Triplets(), batch_size=4):
    anchor, positive, negative = [net(batch[k]) for k in ("anchor", "positive", "negative")]  # want: PF301
    print(round(criterion(anchor, positive, negative).item(), 4))
