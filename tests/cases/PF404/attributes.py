# options: target-torch=2.3
import torch
from torch import nn

model = nn.Linear(2, 1)
scaler = torch.cuda.amp.GradScaler(enabled=False)  # want: PF404
other = torch.cuda.amp.GradScaler()  # want: PF404


@torch.cuda.amp.autocast(enabled=False)  # want: PF404
def forward(x):
    return model(x)


with torch.cuda.amp.autocast(False):  # want: PF404
    print(forward(torch.ones(1, 2)))
with torch.cuda.amp.autocast(  # want: PF404
    False,
    torch.float16,  # the old order
    cache_enabled=True,
):
    print(scaler.get_scale(), other.is_enabled())
