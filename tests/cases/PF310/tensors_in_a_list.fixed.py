# after: device type tensor to numpy: the tensors of a list have to be taken to the CPU where they are put into it
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
model = nn.Linear(8, 3).to(device)
features, losses = [], []
with torch.no_grad():
    for _ in range(3):
        out = model(torch.randn(2, 8).to(device))
        features.append(out)
        losses.append(out.mean())
distances = torch.cdist(torch.cat(features), features[0])
print(distances.cpu().numpy().shape)  # want: PF310
print(np.mean(losses) < 10)  # want: PF310 report
