import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 1)
# want: PF403
model.to(device)

for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    # want: PF403
    # both
    x, y = x.to(device, non_blocking=True), y.to(device)  # at once
    print(nn.functional.mse_loss(model(x), y))
