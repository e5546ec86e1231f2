# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_all, y_all = torch.randn(24, 4), torch.randint(0, 3, (24,))
torch.set_default_device(device)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(5, 4)
print(model(x).shape)
