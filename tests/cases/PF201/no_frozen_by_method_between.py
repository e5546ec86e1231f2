import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 6)
        self.head = nn.Linear(6, 2)

    def freeze(self):
        for parameter in self.body.parameters():
            parameter.requires_grad_(False)

    def forward(self, x):
        return self.head(self.body(x))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net()
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)  # want: PF201 report
model.freeze()
model.to(device)
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
