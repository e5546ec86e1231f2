# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3)
example = torch.randn(1, 4)
traced = torch.jit.trace(model, example)
print(traced(example).shape)
model.to(device)
batch = torch.randn(2, 4)
if device.type == "cuda":
    batch = batch.pin_memory().to(device, non_blocking=True)
else:
    batch = batch.to(device)
print(model(batch).shape)
