import torch
import torch.nn as nn

model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
if len(model.device_ids) > 1:
    model.cuda(model.device_ids[0])
