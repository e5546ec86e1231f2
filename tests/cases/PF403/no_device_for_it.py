"""A guard that does more, and no device that goes with it."""
import torch
from torch import nn

model = nn.Linear(4, 1)
if torch.cuda.is_available():
    torch.backends.cudnn.benchmark = True
    model = nn.DataParallel(model).cuda()
if torch.cuda.is_available():
    half = model.half().cuda()
