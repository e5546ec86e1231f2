import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

net = nn.Linear(3, 2).to(device)  # want: PF401
saved = io.BytesIO()
torch.save(net.state_dict(), saved)
saved.seek(0)
net.load_state_dict(torch.load(saved, map_location=device))  # want: PF401
saved.seek(0)
net.load_state_dict(torch.load(saved, device))  # want: PF401
net(torch.ones(1, 3, device=device))  # want: PF401
