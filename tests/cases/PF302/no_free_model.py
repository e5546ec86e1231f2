# options: unsafe
# Where a model lies that nothing in the text makes or moves is not known; what is called there may be no module at all.
import torch

inputs = torch.ones(4, 3)
outputs = model(inputs)
weights = transform(torch.ones(3))
score = evaluate(outputs, torch.ones(4))
moved = other.to(device)
both = helper(moved, torch.ones(2))
