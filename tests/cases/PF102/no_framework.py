import torch
import torch.nn as nn
from accelerate import Accelerator

accelerator = Accelerator()
model = nn.Linear(6, 2)
model = nn.DataParallel(model)
model.to(accelerator.device)
