"""Between optimizer and placement the model gets a new head: neither may cross that line."""
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(7, 7)
        self.fc = nn.Linear(7, 10)

    def forward(self, x):
        return self.fc(torch.relu(self.body(x)))


torch.manual_seed(132)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = Classifier()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
model.fc = nn.Linear(7, 2)
model.to(device)

x = torch.randn(14, 7).to(device)
y = torch.randint(0, 2, (14,)).to(device)
for step in range(3):
    loss = nn.functional.cross_entropy(model(x), y)
    model.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
