import torch
import torch.nn as nn
from models import build_model

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(build_model("resnet"))
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
