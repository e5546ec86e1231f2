"""The same module under several names: every name is placed when one of them is."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Runner:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def run(self, loader):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(125)
    loader = DataLoader(TensorDataset(torch.randn(24, 5), torch.randn(24, 1)), batch_size=8)

    ssd_net = nn.Linear(5, 1)
    net = ssd_net
    net = net.to(device)
    net = nn.DataParallel(ssd_net)
    ssd_net.train()
    optimizer = torch.optim.SGD(ssd_net.parameters(), lr=0.05)
    print("first", round(Runner(net, optimizer).run(loader), 5))

    model = nn.Linear(5, 1)
    parallel_model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    runner = Runner(parallel_model, optimizer)
    print("second", round(runner.run(loader), 5), parallel_model is model)


if __name__ == "__main__":
    main()
