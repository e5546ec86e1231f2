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

torch.manual_seed(11)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
saved = io.BytesIO()
torch.save(nn.DataParallel(Net()).state_dict(), saved)
saved.seek(0)

model = Net()
model.to(device)
model = nn.DataParallel(model)  # want: PF102
if saved is not None:
    state = torch.load(saved, map_location="cpu")
    model.load_state_dict(state)
    print("=> loaded", len(state))
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
