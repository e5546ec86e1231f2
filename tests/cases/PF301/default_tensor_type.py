# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

if torch.cuda.is_available():
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
model = nn.Linear(4, 3)
device = "cuda" if torch.cuda.is_available() else "cpu"
model.to(device)
x_all = torch.rand(12, 4)
for (x,) in DataLoader(TensorDataset(x_all), batch_size=4):
    print(model(x).shape)
print(model(torch.zeros(1, 4)).shape)
