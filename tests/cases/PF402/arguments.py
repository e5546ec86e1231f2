import io

import torch
from torch import nn

model = nn.Linear(4, 2).to("cuda")  # want: PF402
x = torch.zeros(3, 4, device="cuda")  # want: PF402
y = x.new_zeros(3, device='cuda')  # want: PF402
z = torch.randn(3, 4).to(device="cuda", non_blocking=True)  # want: PF402
w = torch.ones(2).to(torch.device("cuda"))  # want: PF402
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)
buffer.seek(0)
model.load_state_dict(torch.load(buffer, map_location="cuda"))  # want: PF402
print(model(x + z), y, w)
generator = torch.Generator("cuda")  # want: PF402
