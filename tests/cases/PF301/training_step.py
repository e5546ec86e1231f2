# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))


class ImageClassificationBase(nn.Module):
    def training_step(self, batch):
        images, labels = to_device(batch)
        return nn.functional.cross_entropy(self(images), labels)


class Net(ImageClassificationBase):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, xb):
        return self.linear(xb.to(next(self.parameters()).device))


def to_device(batch):
    return [t.to(device) for t in batch]


loader = DataLoader(TensorDataset(x_all, y_all), batch_size=6)
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in loader:
    loss = model.training_step(batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(round(loss.item(), 4))
with torch.no_grad():
    for x, y in loader:
        print(model(x).argmax(1).cpu().eq(y).sum().item())
