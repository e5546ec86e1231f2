import torch
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.randn(1, 3, 8, 8).to(device)
side = torch.randint(2, 6, (1,))
x = F.interpolate(x, size=[side, side])
left = torch.randint(1, 3, (1,))
x = F.pad(x, [left, 0, 0, 0])
F.interpolate(x, scale_factor=float(left))
