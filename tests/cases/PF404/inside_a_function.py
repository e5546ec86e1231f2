# options: target-torch=2.4
"""Imported where it is needed; the class of the scaler keeps the old name, and so does the import."""
import torch


def train(model, x, fp16):
    if fp16:
        from torch.cuda import amp

        kind = amp.GradScaler  # want: PF404 report
        scaler = kind()
        with amp.autocast():  # want: PF404
            return scaler.scale(model(x).sum())
    return model(x)


def evaluate(model, x, fp16):
    if fp16:
        from torch.cuda import amp  # want: PF404

        with amp.autocast():
            return model(x)
    return model(x)
# run: model = torch.nn.Linear(3, 1)
# run: print(train(model, torch.ones(2, 3), False).sum().item(), evaluate(model, torch.ones(2, 3), True).sum().item())
