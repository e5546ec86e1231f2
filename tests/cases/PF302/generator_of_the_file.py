import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batches(x, y, n):
    order = torch.randperm(len(x))
    for i in range(0, len(x), n):
        idx = order[i : i + n]
        yield x[idx], y[idx]


torch.manual_seed(1)
model = nn.Linear(8, 3).to(device)
x = torch.randn(20, 8)
y = torch.randint(0, 3, (20,))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for bx, by in batches(x, y, 5):
        out = model(bx)  # want: PF302
        loss = F.cross_entropy(out, by)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")
