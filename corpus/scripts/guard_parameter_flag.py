"""The flag arrives as a parameter, in functions and in a class."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Extractor(object):
    def __init__(self, net, use_gpu=True):
        self.net = net
        self.use_gpu = use_gpu
        if self.use_gpu:
            self.net = self.net.cuda()

    def __call__(self, x):
        if self.use_gpu:
            x = x.cuda()
        with torch.no_grad():
            return self.net(x)


def train(net, loader, use_gpu, epochs=2):
    criterion = nn.CrossEntropyLoss()
    if use_gpu:
        net.cuda()
        criterion.cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for imgs, pids in loader:
            if use_gpu:
                imgs, pids = imgs.cuda(), pids.cuda()
            loss = criterion(net(imgs), pids)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("Epoch: [{}/{}] Loss {:.4f}".format(epoch + 1, epochs, loss.item()))
    return net


def main():
    torch.manual_seed(83)
    use_gpu = torch.cuda.is_available()
    loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randint(0, 4, (32,))), batch_size=8)
    net = train(nn.Linear(6, 4), loader, use_gpu)
    features = Extractor(net, use_gpu)(torch.ones(2, 6))
    print("features", [round(v, 4) for v in features[0].tolist()])


if __name__ == "__main__":
    main()
