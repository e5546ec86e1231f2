# options: unsafe
"""The model, the loss and the device come from elsewhere; the labels are made on the CPU here."""
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
    model.to(device)

inputs = torch.ones(4, 3, device=device)  # want: PF302 unsafe, warning
labels = torch.ones(4, dtype=torch.long, device=device)  # want: PF302 unsafe
outputs = model(inputs)
loss = criterion(outputs, labels)
loss.backward()
print(round(loss.item(), 4))
# given: import torch
# given: from torch import nn
# given: from drive import device
# given: torch.manual_seed(0)
# given: model, criterion = nn.Linear(3, 2).to(device), nn.CrossEntropyLoss()
