import torch
from torch import nn


def make_positional(length, width):
    position = torch.arange(length).unsqueeze(1).float()
    return torch.sin(position * torch.ones(1, width))


def run(args_device):
    torch.manual_seed(1)
    device = torch.device(args_device)
    net = nn.Linear(6, 2).to(device)
    crit = nn.MSELoss()

    def closure():
        x = torch.ones(3, 6, device=device)  # want: PF302
        target = torch.zeros(3, 2, device=device)  # want: PF302
        return crit(net(x), target)

    pe = make_positional(3, 6).to(device)  # want: PF302
    hidden = torch.zeros(3, 6, device=device)  # want: PF302
    with torch.no_grad():
        for _ in range(2):
            hidden = hidden + net(pe).mean()
            net(hidden)
    return closure().item()


if __name__ == "__main__":
    print(run("cuda" if torch.cuda.is_available() else "cpu") >= 0)
