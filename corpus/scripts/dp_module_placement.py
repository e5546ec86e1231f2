import torch
import torch.nn as nn
from torch.nn import DataParallel
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(11, 6)
        self.b = nn.Linear(6, 3)

    def forward(self, x):
        return self.b(torch.sigmoid(self.a(x)))


def train(num_epochs, lr):
    use_gpu = torch.cuda.is_available()
    device = torch.device("cuda") if use_gpu else torch.device("cpu")
    loader = DataLoader(TensorDataset(torch.randn(44, 11), torch.randint(0, 3, (44,))), batch_size=11)

    model = Encoder()
    model = DataParallel(model)
    model.module.to(device)
    model.train()

    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(num_epochs):
        losses = []
        for samples, targets in loader:
            samples = samples.to(device)
            targets = targets.to(device)
            optimizer.zero_grad()
            loss = criterion(model(samples), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print("epoch", epoch, "mean loss", round(sum(losses) / len(losses), 5))
    return model.module.state_dict()


if __name__ == "__main__":
    torch.manual_seed(23)
    print(sorted(train(num_epochs=2, lr=0.01)))
