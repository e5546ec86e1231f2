import io
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)  # want: PF203 report
saved = io.BytesIO()
torch.save({"optimizer": optimizer.state_dict(), "model": model.state_dict()}, saved)
saved.seek(0)
checkpoint = torch.load(saved)
model.load_state_dict(checkpoint["model"])
optimizer.load_state_dict(checkpoint["optimizer"])
model.to(device)
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
# before: clean: what is loaded is the state of an optimizer that has made no step
