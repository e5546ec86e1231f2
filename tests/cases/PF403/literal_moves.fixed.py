"""Guards around .to("cuda")."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 1)
# want: PF403
model = model.to(device)
x = torch.ones(1, 4)
# want: PF403
x = x.to(device, non_blocking=True)
print(model(x))
