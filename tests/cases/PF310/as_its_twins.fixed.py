"""A function that copies a tensor for numpy, or makes something where it lies, takes it to lie anywhere: numpy reads the
same tensor, and what it is computed with, after a copy everywhere."""
import numpy as np
import torch


def distances(preds, target):
    found = torch.zeros(preds.shape[0], device=preds.device)
    ours = preds.detach().cpu().numpy()  # want: PF310 warning
    theirs = target.detach().cpu().numpy()
    for i in range(preds.shape[0]):
        found[i] = float(np.abs(ours[i] - theirs[i]).max())
    return found


def eroded(pred, target, debug=False):
    target = target.unsqueeze(1)
    pred = torch.sigmoid(pred)
    if debug:
        return pred.detach().cpu().numpy() - target.detach().cpu().numpy()  # want: PF310 warning
    return torch.from_numpy(pred.detach().cpu().numpy() - target.detach().cpu().numpy()).mean()


def errors(logits, labels):
    error = (logits - labels) ** 2
    field = torch.exp(error[:, 0])
    return logits.cpu().numpy(), error.detach().cpu().numpy()[0], field.data.cpu().numpy()  # want: PF310 warning  # want: PF310 warning


def restored(x):
    return torch.from_numpy(np.flip(x.cpu().numpy(), 0).copy()).to(x.device)  # want: PF310 warning


def labels(model, loader):
    found = None
    for batch in loader:
        with torch.no_grad():
            inputs = dict(zip(("x", "labels"), batch))
            out = model(inputs["x"])
        if found is None:
            found = inputs["labels"].detach().cpu().numpy()  # want: PF310 warning
        else:
            found = np.append(found, inputs["labels"].detach().cpu().numpy(), axis=0)
    return found, out
# run: from drive import device
# run: x, y = torch.arange(4.0).to(device).reshape(2, 2), torch.ones(2, 2).to(device)
# run: print(distances(x, y).sum().item(), eroded(x[:, :1], y[:, 0], debug=True).sum(), [e.sum() for e in errors(x, y)], restored(x).sum().item())
# run: print(labels(torch.nn.Linear(2, 1).to(device), [(x, y), (x, y)])[0].sum())
