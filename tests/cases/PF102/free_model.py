# options: unsafe
"""The model and the device come from elsewhere: the fix is right if the model is a module."""
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)  # want: PF102 unsafe
    model.to(device)
print(model(torch.ones(2, 3, device=device)).shape)
# given: import torch
# given: from torch import nn
# given: from drive import device
# given: model = nn.Linear(3, 2).to(device)
