"""Tensors made of the parts of one batch, of which one is used on the CPU, as an index, or moved later, or made otherwise."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def index(batch):
    reward = torch.tensor(batch.reward).to(device)
    rows = torch.tensor(batch.rows)
    return reward[rows]


def shown(batch):
    reward = torch.tensor(batch.reward).to(device)
    done = torch.tensor(batch.done)
    return reward.sum(), done.tolist()


def moved_later(batch):
    reward = torch.tensor(batch.reward).to(device)
    done = torch.tensor(batch.done)
    return reward * done.to(device)


def of_another(batch, scale):
    reward = torch.tensor(batch.reward).to(device)
    factor = torch.tensor(scale.reward)
    return reward * factor


def placed(batch):
    reward = torch.tensor(batch.reward).to(device)
    done = torch.tensor(batch.done, device=device)
    return reward * done
