"""Whether a library could be imported does not say where tensors go."""
import torch
from torch import nn

try:
    import cuda.cudart  # noqa: F401

    cudart_imported = True
except ImportError:
    cudart_imported = False

model = nn.Linear(2, 1)
x = torch.ones(1, 2)
if cudart_imported:  # want: PF403 note
    model.cuda()
    x = x.cuda()
print(model(x).shape)
