# options: unsafe
# What is computed of a tensor goes to its device again, or to that of a tensor which is read beside it: the function is meant for any device.
# given: from drive import device
import numpy as np
import torch


def smoothed(x):
    rows = x.detach().numpy()  # want: PF310 unsafe, warning
    found = np.zeros(rows.shape, dtype=np.float32)
    for number, row in enumerate(rows):
        found[number] = row.cumsum()
    found = torch.from_numpy(found)
    return found.to(x.device)


def kept(boxes, scores):
    device = boxes.device
    moved = boxes * 2
    moved = moved.cpu().numpy()
    scores = scores.numpy()  # want: PF310 unsafe, warning
    best = np.argsort(scores + moved)
    return torch.as_tensor(best, dtype=torch.long, device=device)


def counted(keys):
    found = []
    found.append(np.bincount(keys.numpy()))  # want: PF310 warning
    return torch.tensor(np.stack(found), device=keys.device)


# run: x = torch.ones(2, 3).to(device)
# run: print(smoothed(x).cpu(), kept(x[0], x[1]).cpu(), counted(x.long()[0]).cpu())
