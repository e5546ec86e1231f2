"""The body of a class sees its own names."""
import torch


class Settings:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    weight = torch.ones(3).cuda()  # want: PF401
# run: print(Settings.weight.sum().item())
