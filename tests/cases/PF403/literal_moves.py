"""Guards around .to("cuda")."""
import torch
from torch import nn

model = nn.Linear(4, 1)
if torch.cuda.is_available():  # want: PF403
    model = model.to("cuda")
x = torch.ones(1, 4)
if torch.cuda.is_available():  # want: PF403
    x = x.to('cuda:0', non_blocking=True)
print(model(x))
