import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
encoder = nn.Linear(6, 6)
model = nn.Linear(6, 6)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201 report
model.weight = encoder.weight
model.to(device)
