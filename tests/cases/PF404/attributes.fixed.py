# options: target-torch=2.3
import torch
from torch import nn

model = nn.Linear(2, 1)
scaler = torch.amp.GradScaler("cuda", enabled=False)  # want: PF404
other = torch.amp.GradScaler("cuda")  # want: PF404


@torch.amp.autocast("cuda", enabled=False)  # want: PF404
def forward(x):
    return model(x)


with torch.amp.autocast("cuda", enabled=False):  # want: PF404
    print(forward(torch.ones(1, 2)))
with torch.amp.autocast(  # want: PF404
    "cuda",
    enabled=False,
    dtype=torch.float16,  # the old order
    cache_enabled=True,
):
    print(scaler.get_scale(), other.is_enabled())
