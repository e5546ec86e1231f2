# numpy reads a tensor without a copy that is on the device of one that the function copies.
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: y, t = torch.arange(6.0, device=device).view(2, 3), torch.ones(2, 3, device=device)
# run: print(distances(y, t, []))
# run: print(both(y, t))
import torch


def distances(y, t, kept):
    kept.extend(y.detach().cpu().numpy())
    delta = torch.abs(y - t)
    if delta.ndim == 2:
        delta = torch.sum(delta, dim=1)
    return delta.detach().cpu().numpy()  # want: PF310 warning


def both(y, t):
    product = y @ t.T
    return product.sum().item(), y.cpu().numpy(), t.cpu().numpy()  # want: PF310 warning
