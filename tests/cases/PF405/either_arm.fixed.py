# before: clean: it loads on the machine on which it has saved
"""A checkpoint that is a dict of states, or the state itself."""
import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
whole, plain, third = io.BytesIO(), io.BytesIO(), io.BytesIO()
torch.save({"model": net.state_dict()}, whole)
torch.save(net.state_dict(), plain)
torch.save({"model": net.state_dict()}, third)
for buffer in (whole, plain, third):
    buffer.seek(0)

loaded = torch.load(whole, map_location="cpu")  # want: PF405
net.load_state_dict(loaded["model"] if "model" in loaded else loaded)

other = torch.load(plain, map_location="cpu")  # want: PF405
state = other["model"] if "model" in other else other
net.load_state_dict(state, strict=False)

net.load_state_dict(
    torch.load(third, map_location=device)["model"] if net.training else {}
)  # want: PF405
