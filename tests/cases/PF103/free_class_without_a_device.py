# No device is defined: the wrap is reported, and that is all.
import torch
import torch.nn as nn

model = nn.DataParallel(YourModel())  # want: PF103 report, warning
output = model(data)  # from all devices
