# rules: PF310
import torch
from torch import nn

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
model = nn.Linear(4, 3).to(device)
scores = model(torch.randn(2, 4).to(device)).detach()
if use_cuda:
    print("on the GPU")
    scores.cpu().numpy()  # want: PF310
else:
    scores.numpy()
scores.cpu().numpy()  # want: PF310
