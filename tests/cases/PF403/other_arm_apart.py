"""A guard with another arm that sets something else: the move leaves it, with the comment at its end."""
import torch
from torch import nn


class Embedder:
    def __init__(self, half=True, gpu=True):
        self.model = nn.Linear(4, 2)
        self.gpu = gpu and torch.cuda.is_available()
        if self.gpu:  # want: PF403
            self.model.cuda()  # loads model to gpu
            self.half = half
            if self.half:
                self.model.half()
        else:
            self.half = False
        self.model.eval()

    def predict(self, batches):
        out = []
        for _ in range(batches):
            x = torch.ones(1, 4)
            if self.gpu:  # want: PF403
                x = x.cuda()
                if self.half:
                    x = x.half()
            out.append(self.model(x).float().sum().item())
        return out


print(len(Embedder().predict(2)))
