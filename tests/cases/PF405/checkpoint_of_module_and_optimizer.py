# before: clean: it loads on the machine on which it has saved
import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2).to(device)
optimizer = torch.optim.Adam(net.parameters())
net(torch.ones(1, 4, device=device)).sum().backward()
optimizer.step()
buffer = io.BytesIO()
torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, buffer)
buffer.seek(0)

checkpoint = torch.load(buffer)  # want: PF405
net.load_state_dict(checkpoint["net"])
optimizer.load_state_dict(checkpoint["optimizer"])
del checkpoint
optimizer.step()
