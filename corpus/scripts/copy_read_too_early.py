"""A classifier whose predictions are copied to the CPU in the background and counted at once."""

import torch
import torch.nn as nn


def accuracy(scores, labels):
    predicted = scores.argmax(1).to("cpu", non_blocking=True)
    return (predicted == labels).float().mean().item()


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(5, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(60, 5), torch.randint(0, 3, (60,))
    for step in range(5):
        optimizer.zero_grad()
        scores = model(x.to(device, non_blocking=True))
        loss = nn.functional.cross_entropy(scores, y.to(device, non_blocking=True))
        loss.backward()
        optimizer.step()
        shown = loss.detach().to("cpu", non_blocking=True)
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        print(f"{step}: {shown.item():.4f} {accuracy(scores, y):.3f}")


if __name__ == "__main__":
    main()
