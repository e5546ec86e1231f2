"""The body of a class binds the name `device` to something else than the function around it."""
import torch


def build(names):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    class Inner:
        device = "first"
        weight = torch.ones(3).cuda()  # want: PF401 report

    return Inner(), [torch.ones(1, device=device) for _ in names]
