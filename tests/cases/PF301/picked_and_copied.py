# rules: PF301, PF302
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,)))
loader = DataLoader(data, batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
row, column = 0, 1
for x, y in loader:
    target = torch.as_tensor(y, device=device)
    scores = model(torch.as_tensor(x, dtype=torch.float32, device=device))
    loss = criterion(scores, target)
    print((scores * x[0, 1]).sum(), (scores + x[row, column - 1]).sum(), loss)  # one number each
