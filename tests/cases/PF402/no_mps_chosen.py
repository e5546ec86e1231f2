"""A choice of devices, in all its forms, is right."""
import platform

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu")
name = "mps" if torch.backends.mps.is_available() else "cpu"
if torch.cuda.is_available():
    best = torch.device("cuda")
elif torch.backends.mps.is_available():
    best = torch.device("mps")
else:
    best = torch.device("cpu")
x = torch.ones(3)
if torch.backends.mps.is_available():
    x = x.to("mps")
if platform.system() == "Darwin" and device.type != "cpu":
    x = torch.ones(3, device="mps")
print(x, torch.ones(3, device=name), torch.ones(3, device=best))
