# Copies to the CPU in the background, each read by the CPU before anything waits for it.
# run: assert count(torch.eye(4), torch.tensor([0, 1, 2, 0])) == 3 and total([torch.ones(3), torch.ones(3)]) == 6.0
# run: print(first(torch.ones(3)), arrays(torch.ones(2, 2)), into_buffer(torch.full((3,), 2.0)))
import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(4, 4).to(device)
host = torch.device("cpu")
x = torch.arange(6.0).to(device)
y = x.to("cpu", non_blocking=True)  # want: PF314
print(y.sum())
print(x.to(host, non_blocking=True).tolist())  # want: PF314
print(f"{x.mean().to(device='cpu', non_blocking=True)}")  # want: PF314


def count(scores, labels):
    scores, labels = scores.to(device), labels.to(device)
    predicted = scores.argmax(1).to("cpu", non_blocking=True)  # want: PF314
    wanted = labels.to("cpu", non_blocking=True)  # want: PF314
    return (predicted == wanted).sum().item()


def total(batches):
    sum_of_all = 0.0
    for batch in batches:
        loss = batch.to(device).sum().detach().to("cpu", non_blocking=True)  # want: PF314
        sum_of_all += loss.item()
    return sum_of_all


def first(values):
    values = values.to(device)
    found = values.to("cpu", non_blocking=True)  # want: PF314
    if found[0] > 0:
        return "positive"
    return "other"


def arrays(values):
    with torch.no_grad():
        array = values.to(device).to("cpu", non_blocking=True).numpy()  # want: PF314
    return np.max(array) + array.mean()


def into_buffer(values):
    buffer = torch.zeros(3, pin_memory=torch.cuda.is_available())
    pinned = torch.zeros(3).pin_memory() if torch.cuda.is_available() else buffer
    pinned.copy_(values.to(device), non_blocking=True)
    torch.cuda.synchronize() if torch.cuda.is_available() else None
    return pinned.sum().item()
