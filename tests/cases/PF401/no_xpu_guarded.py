# options: target-torch=2.4
import torch
from torch import nn

model = nn.Linear(2, 1)
x = torch.ones(1, 2)
if torch.xpu.is_available():
    model, x = model.xpu(), x.xpu()
print(model(x))
