import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)  # want: PF201 report
model.to(device, torch.float64)
