"""A function inside a function has its own."""
import torch


def sliced(step):
    def run(net, x):
        parts = []
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        for part in x.split(step):
            parts.append(net(part.float().to(device)))  # want: PF401
        return torch.cat(parts).to(device)  # want: PF401

    return run
# run: from drive import device
# run: print(sliced(2)(torch.nn.Linear(3, 1).to(device), torch.ones(5, 3)).sum().item())
