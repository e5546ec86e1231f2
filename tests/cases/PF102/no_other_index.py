import torch
import torch.nn as nn

model = nn.Linear(6, 2)
model = nn.DataParallel(model, device_ids=[1, 2])
model.to("cuda:0")
