"""Another amp."""
import torch
from apex import amp

model, optimizer = amp.initialize(torch.nn.Linear(1, 1), None)
with amp.scale_loss(model(torch.ones(1, 1).cuda()), optimizer) as loss:
    loss.backward()
