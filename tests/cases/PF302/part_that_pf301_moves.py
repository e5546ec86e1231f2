# rules: PF301,PF302
# A part of a batch beside one that is moved is reported once, by PF301.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.ones(4, 3), torch.ones(4, 3), torch.ones(4))


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 2)

    def forward(self, a, b):
        return self.net(a), self.net(b)


model = Pair().to(device)
for a, b, label in DataLoader(data, batch_size=2):  # want: PF301
    a, label = a.to(device), label.to(device)
    u, v = model(a, b)
    print(nn.functional.cosine_embedding_loss(u, v, label).item() >= 0)
