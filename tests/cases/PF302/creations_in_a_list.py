import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
model = nn.Linear(4, 2).to(device)
memory = []
for step in range(3):
    memory.append(torch.full((4,), float(step)))
batch = torch.stack(memory)  # want: PF302
loss = model(batch).pow(2).mean()
loss.backward()
print(f"{loss.item():.4f}")
