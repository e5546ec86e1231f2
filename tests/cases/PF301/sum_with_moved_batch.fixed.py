# A batch moves at the top of the loop; the other operand of a sum moves with it, in the same fix.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 3).to(device)
data = torch.utils.data.TensorDataset(torch.ones(4, 3), torch.ones(4, 3))
loader = torch.utils.data.DataLoader(data)
for x, y in loader:  # want: PF301
    x = x.to(device)
    y = y.to(device)
    a = model(x)
    print(a.sum().item(), model(x + y).sum().item())
