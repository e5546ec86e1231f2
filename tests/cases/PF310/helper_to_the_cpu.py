# A helper copies to the CPU what numpy reads; another tensor goes to a device.
import torch
from helpers import to_device


def plan(model, obs, device):
    obs = to_device(torch.tensor(obs), device)
    traj = model.sample({0: obs})
    traj = to_device(traj, "cpu").numpy()
    first = to_device(obs, "cpu").numpy()
    return traj[0] - first
