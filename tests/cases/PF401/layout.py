#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Lines that are shared, continued and commented."""
import torch; from torch import nn

model = nn.Linear(2, 1); model.cuda();  # want: PF401
out = model(torch.ones(1, 2)  # the input
            .cuda  # moved  # want: PF401
            (  # here
            ))
if model.training: out = out.detach().cuda()  # want: PF401
total = out \
    .cuda(non_blocking=True)  # want: PF401
