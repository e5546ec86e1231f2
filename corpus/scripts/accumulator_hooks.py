"""Gradients that hooks count as they are accumulated; the model is placed between the first hooks and the second."""

import torch
import torch.nn as nn


class GradientCount:
    """Counts the gradients that are accumulated."""

    def __init__(self, model):
        self.nodes = []
        self.calls = 0
        for parameter in model.parameters():
            node = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
            node.register_hook(self.count)
            self.nodes.append(node)

    def count(self, *gradients):
        self.calls += 1


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
    nodes, calls = [], []
    for parameter in model.parameters():
        node = parameter.expand_as(parameter).grad_fn.next_functions[0][0]
        node.register_hook(lambda *gradients: calls.append(len(gradients)))
        nodes.append(node)
    model.to(device)
    count = GradientCount(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, y = torch.randn(24, 5).to(device), torch.randn(24, 1).to(device)
    for step in range(4):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        print(f"{step}: {loss.item():.4f}")
    print(len(calls), count.calls)


if __name__ == "__main__":
    main()
