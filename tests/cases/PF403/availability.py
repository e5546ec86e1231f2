import torch
from torch import nn

model = nn.Linear(4, 1)
if torch.cuda.is_available():  # want: PF403
    model.cuda()

for _ in range(2):
    x, y = torch.randn(3, 4), torch.randn(3, 1)
    if torch.cuda.is_available():  # want: PF403
        # both
        x, y = x.cuda(non_blocking=True), y.cuda()  # at once
    print(nn.functional.mse_loss(model(x), y))
