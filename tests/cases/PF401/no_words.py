"""x.cuda() in text, and model.cuda() too."""
import torch

# model.cuda() moves it
SNIPPET = """
model.cuda()
"""
place = torch.nn.Linear(1, 1).cuda
print(SNIPPET.count(".cuda()"), f"{'x.cuda()'!r}", place)
