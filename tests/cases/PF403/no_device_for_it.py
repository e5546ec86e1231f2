"""A guard that does more, and no device that goes with it."""
import torch
from torch import nn

model = nn.Linear(4, 1)
if torch.cuda.is_available():  # want: PF403 note
    torch.backends.cudnn.benchmark = True
    model = nn.DataParallel(model).cuda()
if torch.cuda.is_available():  # want: PF403 note
    half = model.half().cuda()
