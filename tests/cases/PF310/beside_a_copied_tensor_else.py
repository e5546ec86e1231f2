# The tensor need not be where the copied one is: it is an index, it is copied before, or nothing uses them together.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: y = torch.arange(6.0, device=device).view(2, 3)
# run: print(labels_of_the_host(y, torch.tensor([1, 0])))
# run: print(index(y, torch.tensor([1, 0])))
# run: print(copied_before(y, torch.ones(2, 3, device=device)))
import torch


def labels_of_the_host(y, labels):
    y = y.to(y.device)
    return y.argmax(1).cpu().numpy() == labels.numpy()


def index(y, order):
    rows = y[order]
    return rows.cpu().numpy(), order.numpy()


def copied_before(y, t):
    total = y + t
    t = t.cpu()
    return total.cpu().numpy(), t.numpy()
