# rules: PF301, PF302, PF303
import deepspeed
import torch
from torch import nn

model = nn.Linear(4, 3)
engine, optimizer, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters())
model.to(engine.device)
x = torch.randn(2, 4)
print(model(x).shape, engine(x).shape)
