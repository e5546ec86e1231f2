"""Half precision by hand: the optimizer owns a float copy taken after the whole chain."""
import torch
from torch import nn


def prepare(model, device):
    model = model.to(device).bfloat16()
    master = [p.detach().clone().float() for p in model.parameters()]
    for p in master:
        p.requires_grad = True
    return model, master


def main():
    torch.manual_seed(120)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, master = prepare(nn.Linear(8, 2), device)
    optimizer = torch.optim.SGD(master, lr=0.05)
    x = torch.ones(4, 8).to(device).bfloat16()
    for step in range(4):
        loss = model(x).float().pow(2).mean()
        model.zero_grad()
        loss.backward()
        for m, p in zip(master, model.parameters()):
            m.grad = p.grad.detach().float()
        optimizer.step()
        with torch.no_grad():
            for m, p in zip(master, model.parameters()):
                p.copy_(m)
        print(step, round(loss.item(), 3))


if __name__ == "__main__":
    main()
