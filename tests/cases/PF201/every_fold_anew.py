import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"
data = torch.linspace(-1, 1, 24).view(4, 6).to(device)
for fold in range(2):
    torch.manual_seed(fold)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5)  # want: PF201
    model.to(device)

    def closure():
        optimizer.zero_grad()
        loss = model(data).pow(2).sum()
        loss.backward()
        return loss

    print(fold, round(optimizer.step(closure).item(), 5))
