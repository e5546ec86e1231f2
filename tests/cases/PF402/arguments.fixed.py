import io

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 2).to(device)  # want: PF402
x = torch.zeros(3, 4, device=device)  # want: PF402
y = x.new_zeros(3, device=device)  # want: PF402
z = torch.randn(3, 4).to(device=device, non_blocking=True)  # want: PF402
w = torch.ones(2, device=device)  # want: PF402
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)
buffer.seek(0)
model.load_state_dict(torch.load(buffer, map_location=device))  # want: PF402
print(model(x + z), y, w)
generator = torch.Generator(device)  # want: PF402
