# options: unsafe
# A tensor that is computed with another one, which the function copies to the CPU on some path, or places, may be where that is.
# given: from drive import device
import torch


def errors(y, target, record, found=None):
    record.extend(y.detach().cpu().numpy().ravel().tolist())
    if found is not None:
        delta = torch.abs(y - target)
        if delta.ndim == 2:
            delta = torch.sum(delta, dim=1)
        found.extend(delta.detach().cpu().numpy().tolist())  # want: PF310 unsafe, warning
    return record


def gradient(x, const):
    point = torch.ones(3).to(x.device).requires_grad_()
    distance = torch.sum((x - point) ** 2) * const
    distance.backward()
    slope = point.grad.data.cpu().numpy()  # want: PF310 unsafe, warning
    return distance.data.cpu().numpy().round(4), slope


def placed(x, device, double):
    if double:
        x = x.to(device)
    y = x * 2
    return y.cpu().numpy()  # want: PF310 unsafe, warning


# run: x = torch.ones(2, 3).to(device)
# run: found = []
# run: print(errors(x, x * 2, [], found), found)
# run: print(gradient(torch.zeros(3).to(device), 2.0))
# run: print(placed(torch.ones(2), device, True))
