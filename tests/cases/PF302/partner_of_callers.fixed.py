"""What a function makes goes to where its callers have what it meets: one of them has it on the CPU."""
import torch
import torch.nn as nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def distance(logits, targets):
    labels = torch.arange(logits.shape[1])
    return (
        logits * torch.abs(labels.to(targets.device) - targets.reshape(-1, 1))
    ).sum()  # want: PF302


def masked(logits):
    keep = torch.ones(3)
    return (keep.to(logits.device) * logits.view(-1, 3)).sum()  # want: PF302


def at_the_use(logits, sizes):
    steps = torch.arange(3)
    print(steps.numpy().sum())
    return (logits.view(-1, 3) * steps.to(logits.device)).sum() / sizes  # want: PF302


def where_it_is_made(logits, targets):
    labels = torch.arange(logits.shape[1], device=targets.device)  # want: PF302
    return (logits * torch.abs(labels - targets.reshape(-1, 1))).sum()


def selftest(path):
    data = torch.load(path, map_location="cpu")
    print(where_it_is_made(*data.values()).item())
    return distance(data["x"], data["t"]) + masked(data["x"]) + at_the_use(data["x"], 2)


def train():
    torch.manual_seed(0)
    net = nn.Linear(3, 3).to(device)
    t = torch.tensor([0, 2, 1, 2]).to(device)
    out = net(torch.ones(4, 3).to(device))
    loss = distance(out, t) + masked(out) + at_the_use(out, 2)
    loss.backward()
    print(loss.item(), where_it_is_made(out, t).item())


if __name__ == "__main__":
    torch.save({"x": torch.ones(4, 3), "t": torch.tensor([0, 2, 1, 2])}, "saved.pt")
    train()
    print(selftest("saved.pt").item())
