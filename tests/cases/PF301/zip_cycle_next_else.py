import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from itertools import cycle

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
source = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6, pin_memory=True)
target = DataLoader(TensorDataset(torch.randn(12, 4)), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for (xs, ys), (xt,) in zip(source, cycle(target)):  # want: PF301
    # source and target in one pass
    out = model(xs)
    loss = criterion(out, ys) + model(xt).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
else:
    print("done")

target_iter = iter(target)
for step, (xs, ys) in enumerate(source):  # want: PF301
    xs = xs.to(device, non_blocking=True)
    try:
        (xt,) = next(target_iter)
    except StopIteration:
        target_iter = iter(target)
        (xt,) = next(target_iter)
    loss = criterion(model(xs), ys) + model(xt).mean()  # want: PF301
print(round(loss.item(), 4))

model.eval()
preds, labels = [], []
with torch.no_grad():
    for x, y in source:  # want: PF301
        logits = model(x)
        preds.append(logits.argmax(1).cpu())
        labels.append(y)
print(torch.cat(preds).shape, torch.cat(labels).shape)
for x, y in source: print(model(x).shape)  # want: PF301
for x, y in source:  # want: PF301
    optimizer.zero_grad()
    x = x.to(device)
    loss = criterion(model(x), y)
