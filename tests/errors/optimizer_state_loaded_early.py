# message: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
# rules: PF203
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
saved = nn.Linear(4, 2)
other = torch.optim.Adam(saved.parameters())
saved(torch.randn(8, 4)).sum().backward()
other.step()
torch.save(other.state_dict(), "optimizer.pt")

model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
optimizer.load_state_dict(torch.load("optimizer.pt", map_location="cpu"))
model.to(device)
model(torch.randn(8, 4).to(device)).sum().backward()
optimizer.step()
