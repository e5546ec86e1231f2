# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))


class Rows(Dataset):
    def __len__(self):
        return len(x_all)

    def __getitem__(self, i):
        return {"x": x_all[i], "y": y_all[i]}


loader = DataLoader(Rows(), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in loader:
    for key in batch:
        batch[key] = batch[key].to(device)
    loss = criterion(model(batch["x"]), batch["y"])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
