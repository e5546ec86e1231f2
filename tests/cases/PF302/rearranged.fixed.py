# einops leaves a tensor on its device.
import torch
from einops import rearrange

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2).to(device)
x = torch.ones(3, device=device)  # want: PF302
print(model(rearrange(x, "n -> 1 n")).shape)
