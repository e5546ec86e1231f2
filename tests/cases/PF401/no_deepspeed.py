# rules: PF401,PF402,PF403
"""The engine of DeepSpeed knows its device."""
import deepspeed
import torch
from torch import nn

engine, _, _, _ = deepspeed.initialize(model=nn.Linear(2, 1), config="ds.json")
for step in range(3):
    x = torch.ones(1, 2).cuda()  # want: PF401 report
    engine.backward(engine(x.to("cuda")).sum())  # want: PF402 report
    engine.step()
