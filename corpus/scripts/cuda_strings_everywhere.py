"""A checkpoint, indices and sums on CUDA: strings in every place that takes a device."""
import os
import tempfile

import torch
import torch.nn as nn

torch.manual_seed(19)


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(6, 3)
        self.decode = nn.Linear(3, 6)

    def forward(self, x):
        return self.decode(torch.tanh(self.encode(x)))


model = Autoencoder().to("cuda:0")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
batch = torch.linspace(-1, 1, 48, device="cuda").view(8, 6)
order = torch.arange(8).to(device="cuda")
total = torch.zeros((), device=torch.device("cuda:0"))
for step in range(4):
    loss = nn.functional.mse_loss(model(batch[order]), batch[order])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    order = order.flip(0)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    torch.save(model.state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cuda:0"))
print("mean loss %.5f" % (total / 4).item())
