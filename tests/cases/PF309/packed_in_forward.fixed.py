import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 4)
        self.rnn = nn.GRU(4, 6, batch_first=True)
        self.fc = nn.Linear(6, 2)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths.cpu(), batch_first=True, enforce_sorted=False)  # want: PF309
        return self.fc(self.rnn(packed)[1][-1])


torch.manual_seed(2)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Tagger().to(device)
for x, lengths in DataLoader(TensorDataset(torch.randint(0, 20, (8, 5)), torch.randint(1, 6, (8,))), batch_size=4):
    x, lengths = x.to(device), lengths.to(device)
    print(f"{model(x, lengths).sum().item():.4f}")
