# options: unsafe
# A tensor made on the CPU meets a value of unknown kind that the code moves: only a tensor can be the other operand.
# run: joined({"x": torch.ones(2, 3)}); summed(torch.ones(2, 3)); masked(torch.ones(2, 3))
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def joined(batch):
    x = batch["x"].to(device)
    return torch.cat((x, torch.zeros(2, 3)))  # want: PF302


def summed(x):
    x = x.float().to(device)
    return x + torch.zeros(2, 3)  # want: PF302 unsafe


def masked(x):
    x = x.to(device).float()
    mask = torch.ones(2, 3) > 0  # want: PF302
    return x.masked_fill(mask, 0.0)
