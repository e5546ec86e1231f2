"""How many devices there are is another question than whether there are any."""
import torch
from torch import nn

model = nn.Linear(2, 1)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model).cuda()
count = torch.cuda.device_count()
if count == 4:  # want: PF403 note
    model.cuda()
print(model(torch.ones(1, 2)).shape)
