import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.to(device)
    model(torch.ones(1, 6).to(device)).sum().backward()
    optimizer.step()
    model.cpu()
    print(epoch, model(torch.ones(1, 6)).sum().item())
