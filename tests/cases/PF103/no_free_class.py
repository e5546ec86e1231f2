# options: unsafe
# A class that an import binds is not seen either, but it is no name left out; what is placed needs no placement.
import torch
import torch.nn as nn
from zoo import Imported

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(Imported())
output = model(data)
other = nn.DataParallel(YourModel().to(device))
output = other(data)
third = nn.DataParallel(YourModel())
third.to(device)
output = third(data)
