# options: unsafe
# before: clean: it loads on the machine on which it has saved
import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def saved():
    buffer = io.BytesIO()
    torch.save(nn.Linear(4, 2).to(device), buffer)
    buffer.seek(0)
    return buffer


net = torch.load(saved(), weights_only=False).to(device)  # want: PF405 unsafe
other = torch.load(saved(), weights_only=False)  # want: PF405 unsafe
other = other.to(device)
third = torch.load(saved(), weights_only=False).eval().to(device)  # want: PF405 unsafe
fourth = torch.load(saved(), weights_only=False)  # want: PF405 unsafe
fourth.to(device)
x = torch.ones(1, 4, device=device)
print(net(x).shape, other(x).shape, third(x).shape, fourth(x).shape)


def restored(target):
    model = torch.load(saved(), weights_only=False)  # want: PF405 unsafe
    model.eval()
    there = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(there)
    return model(target.to(there)).shape


print(restored(x))


class Predictor:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def restore(self):
        self.model = torch.load(saved(), weights_only=False)  # want: PF405 unsafe
        self.model.to(self.device).eval()
        return self.model


print(Predictor().restore()(x).shape)
