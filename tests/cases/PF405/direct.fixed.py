# before: clean: it loads on the machine on which it has saved
import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
source = nn.Linear(4, 2).to(device)
buffer = io.BytesIO()
torch.save(source.state_dict(), buffer)
buffer.seek(0)

net = nn.Linear(4, 2).to(device)
net.load_state_dict(torch.load(buffer, weights_only=True, map_location=device))  # want: PF405
print(net(torch.ones(1, 4, device=device)).shape)
