# options: unsafe
"""A module that stays on the CPU or is moved back there, inputs that are moved, a model that is only moved, and an object that is only switched."""
import torch
from elsewhere import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Player:
    def __init__(self, config):
        self.model = build(config).to(device).eval()
        self.other = build(config).eval()
        self.back = build(config).to(device).eval()
        self.back.cpu()
        self.environment = build(config)
        self.environment.train()

    def act(self, masks):
        return self.model(torch.Tensor(masks).to(device)), self.model(torch.ones(3, device=device)), self.model(masks)

    def sizes(self, masks):
        return self.model(torch.Tensor(masks).shape), self.model(torch.as_tensor(masks)), self.model(torch.tensor(3))

    def on_the_cpu(self, masks):
        return self.other(torch.Tensor(masks)), self.back(torch.Tensor(masks)), self.environment(torch.Tensor(masks))


def replaced(config):
    model = build(config).to(device)
    model.eval()
    model = build(config)
    return model(torch.ones(3))


def only_moved(config):
    model = build(config)
    model.to(device)
    return model(torch.ones(3))
