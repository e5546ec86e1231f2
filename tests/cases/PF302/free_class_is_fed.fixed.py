# options: unsafe
"""A class that nothing binds may move its inputs: a warning. A loss gets what another module makes, through a method."""
import torch

encoder = Encoder(3, 2).to(device)
hidden = torch.ones(1, 3, device=device)  # want: PF302 unsafe, warning
print(encoder(hidden).shape)
fake = torch.ones(4, 3).to(device)
wanted = torch.full((4,), 1.0, device=device)  # want: PF302 unsafe
output = netD(fake).view(-1)
error = criterion(output, wanted)
# given: import torch
# given: from drive import device
# given: Encoder, netD = torch.nn.Linear, torch.nn.Linear(3, 1).to(device)
# given: criterion = torch.nn.MSELoss()
