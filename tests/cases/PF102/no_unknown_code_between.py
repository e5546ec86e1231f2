import torch
import torch.nn as nn
from helpers import surgery

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
surgery(model.module)
model.to(device)
