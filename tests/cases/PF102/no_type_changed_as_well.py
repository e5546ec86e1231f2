import torch
import torch.nn as nn

model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
model = model.cuda().half()
