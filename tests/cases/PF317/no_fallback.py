import torch

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
x = torch.ones(2, dtype=torch.float64)
try:
    x = x.to(device)
except (TypeError, RuntimeError):
    x = x.float().to("cpu")
print(x)
