import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

torch.manual_seed(7)
use_gpu = torch.cuda.is_available()
model = Net()
criterion = nn.CrossEntropyLoss()
if use_gpu:
    model = model.cuda()
    criterion = criterion.cuda()
model = nn.DataParallel(model)  # want: PF102
torch.backends.cudnn.benchmark = True
out = model(torch.randn(4, 6))
print(criterion(out, torch.tensor([0, 1, 0, 1]).to(out.device)).item())
