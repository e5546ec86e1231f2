import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randint(0, 9, (16, 5)), torch.ones(16, 5), torch.randint(0, 2, (16,))), batch_size=8)


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(9, 4)
        self.fc = nn.Linear(4, 2)

    def forward(self, ids, mask):
        return self.fc((self.emb(ids) * mask.unsqueeze(-1)).sum(1))


torch.manual_seed(4)
model = Bag().to(device)
for batch in loader:
    batch = tuple(t for t in batch)
    input_ids, mask, labels = batch  # want: PF301
    print(f"{nn.functional.cross_entropy(model(input_ids, mask), labels).item():.4f}")
