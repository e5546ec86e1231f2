# With two GPUs the model is wrapped, and the last line fails; with fewer it does not.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(4, 2)).to(device)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
first = model.head  # want: PF113 report, warning
