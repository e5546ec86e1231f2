import torch
import torch.nn as nn

torch.manual_seed(17)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
head = nn.Linear(2, 1)
model = nn.DataParallel(model)  # want: PF102 report
head = nn.DataParallel(head)  # want: PF102
model, head = model.to(device), head.to(device)
print(head(model(torch.ones(2, 6).to(device))).sum().item())
