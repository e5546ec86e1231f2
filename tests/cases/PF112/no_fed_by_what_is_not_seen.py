# The result of an object whose class is not seen shows no device for another module.
import torch
from elsewhere import build
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
features = build()
features.to(device)
head = nn.Linear(3, 2)
x = torch.ones(4, 3).to(device)
print(head(features(x)))
