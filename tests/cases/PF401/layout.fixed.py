#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Lines that are shared, continued and commented."""
import torch; from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(2, 1); model.to(device);  # want: PF401
out = model(torch.ones(1, 2)  # the input
            .to  # moved  # want: PF401
            (device  # here
            ))
if model.training: out = out.detach().to(device)  # want: PF401
total = out \
    .to(device, non_blocking=True)  # want: PF401
