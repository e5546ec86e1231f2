# Parts of one thing go to the device, but for one that a call, an operator or a return has beside them.
# options: unsafe
# run: d = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: batch = {"states": torch.ones(2, 3), "actions": torch.ones(2, 3), "rewards": torch.ones(2)}
# run: print(update(batch, Critic().to(d), d))
# run: print(error(Batch(torch.ones(2, 3), torch.ones(2, 3)), d))
# run: print(sum(encode(lambda text: Batch(torch.ones(2), torch.ones(2)), "a", d)).tolist())
# run: model = Blur(d); model.feed({"image": torch.ones(2, 2), "kernel": torch.ones(2, 2), "sinc": torch.ones(2, 2)}); print(model.blur())
from collections import namedtuple

import torch
from torch import nn

Batch = namedtuple("Batch", "x y")


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 1)

    def value(self, states, actions):
        return self.layer(torch.cat((states, actions), 1)).sum()


def update(batch, critic, device):
    states = batch["states"].to(device)
    actions = batch["actions"].float()  # want: PF301 unsafe, warning
    rewards = batch["rewards"].to(device)
    inputs = actions
    return (critic.value(states, inputs) - rewards).shape


def error(batch, device):
    x = batch.x.to(device)
    y = batch.y  # want: PF301 unsafe, warning
    return (x - y).sum().item()


def encode(tokenizer, text, device):
    encoded = tokenizer(text)
    ids = encoded.x  # want: PF301 unsafe, warning
    mask = encoded.y.to(device)
    return ids, mask


class Blur:
    def __init__(self, device):
        self.device = device

    def feed(self, data):
        self.image = data["image"].to(self.device)
        self.kernel = data["kernel"].to(self.device)
        self.sinc = data["sinc"]  # want: PF301 unsafe, warning

    def blur(self):
        return (self.image @ self.kernel @ self.sinc).sum().item()
