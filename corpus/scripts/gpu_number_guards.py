"""-1 is the CPU, anything else the number of a GPU; the moves go to that number."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("-g", "--gpu", type=int, default=0 if torch.cuda.is_available() else -1, help="-1 is the CPU")
parser.add_argument("--steps", type=int, default=4)
args = parser.parse_args()

torch.manual_seed(13)
if args.gpu >= 0:
    torch.cuda.set_device(args.gpu)

model = nn.Sequential(nn.Embedding(15, 6), nn.Flatten(), nn.Linear(24, 4))
if args.gpu >= 0:
    model.cuda(args.gpu)
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)


def to_gpu(batch):
    if args.gpu >= 0:
        return [part.cuda(args.gpu) for part in batch]
    return batch


data = torch.randint(0, 15, (10, 4)), torch.randint(0, 4, (10,))
for step in range(args.steps):
    tokens, labels = to_gpu(data)
    weights = torch.ones(4)
    if args.gpu >= 0:
        weights = weights.cuda(args.gpu)
    loss = nn.functional.cross_entropy(model(tokens), labels, weight=weights)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, "%.5f" % loss.item())
