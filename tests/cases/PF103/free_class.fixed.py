# options: unsafe
"""The class comes from elsewhere and may place itself: a warning, and the fix is unsafe."""
import torch
import torch.nn as nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(YourModel().to(device))  # want: PF103 unsafe, warning

for data, target in dataloader:
    data = data.to(device)
    output = model(data)
# given: import torch
# given: YourModel = lambda: torch.nn.Linear(3, 2)
# given: dataloader = [(torch.ones(2, 3), torch.ones(2))]
