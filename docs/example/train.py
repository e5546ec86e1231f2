import argparse
import time

import torch
from torch import nn

from data import loaders
from model import Classifier

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--resume", default="")
args = parser.parse_args()

torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
train_loader, test_loader = loaders(args.batch_size)

model = Classifier()
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
if args.resume:
    checkpoint = torch.load(args.resume)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
model = nn.DataParallel(model)  # all GPUs of the machine
model.cuda()
weights = torch.tensor([1.0, 1.0, 2.0])
criterion = nn.CrossEntropyLoss(weight=weights)

for epoch in range(args.epochs):
    torch.cuda.synchronize()
    start = time.time()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    print(f"epoch {epoch}: loss {loss.item():.3f}")

correct = 0
with torch.no_grad():
    for x, y in test_loader:
        correct += (model(x.cuda()).argmax(1) == y.cuda()).sum().item()
print(f"correct: {correct}/{len(test_loader.dataset)}")
