import torch

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
if device.type == "mps":
    torch.set_default_dtype(torch.float32)
    dtype = torch.float32
else:
    dtype = torch.float64
print(torch.ones(2, dtype=dtype, device=device))
x = torch.ones(2, dtype=torch.float64)
if device.type != "mps":
    x = x.to(device)
print(x)
