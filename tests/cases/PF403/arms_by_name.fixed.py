# options: unsafe
"""Arms for several devices by their names: each moves to the one that is asked for."""
import torch
from torch import nn


class Attack:
    def __init__(self, model, device="cuda"):
        self.model = model
        self.device = device

    def place(self, image):
        if self.device == "cuda":  # want: PF403 unsafe
            image = image.to(self.device)
            self.model = self.model.to(self.device)
        elif self.device == "cpu":
            image = image.cpu()
            self.model = self.model.cpu()
        else:
            raise ValueError("cpu or cuda")
        return self.model(image)


def build(model, device="cuda", **kwargs):
    if device == "xpu":
        model = model.xpu()
    elif device == "cuda":  # want: PF403 unsafe
        model = model.to(torch.device(device, kwargs["device_ids"][0]))
    elif device == "mps":
        model = model.to("mps")
    return model


device = "cuda" if torch.cuda.is_available() else "cpu"
net = build(nn.Linear(2, 1), device, device_ids=[0])
print(Attack(net, device).place(torch.ones(1, 2)).shape)
