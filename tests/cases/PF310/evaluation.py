import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(12, 4), torch.randint(0, 3, (12,))), batch_size=4)
net = nn.Linear(4, 3).to(device)
scores, wanted = [], []
with torch.no_grad():
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        out = net(x)
        scores.append(out.argmax(1).numpy())  # want: PF310
        wanted.append(np.asarray(y))  # want: PF310
        print(out.softmax(1).max(1)[0].data.numpy().shape)  # want: PF310
weights = net.weight.detach().cpu().numpy()
print(np.mean(np.concatenate(scores) == np.concatenate(wanted)), weights.shape)
total = (out + 1).sum(0)
print(np.array(total, dtype="float64").round(4))  # want: PF310
