# rules: PF301, PF302, PF307
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class EarlyStopping:
    def __init__(self, patience=2):
        self.best = torch.tensor(float("inf"))
        self.patience = patience

    def step(self, value):
        if value < self.best:
            self.best = value
        return False


def accuracy(outputs, labels):
    _, preds = torch.max(outputs, dim=1)
    return torch.tensor(torch.sum(preds == labels).item() / len(preds))


@torch.no_grad()
def evaluate(model, val_loader):
    model.eval()
    outputs = [model.validation_step(batch) for batch in val_loader]
    return torch.stack([x["val_acc"] for x in outputs]).mean().item()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)

    def forward(self, x):
        return self.lin(x)

    def validation_step(self, batch):
        images, labels = batch
        out = self(images)
        return {"val_loss": nn.functional.cross_entropy(out, labels), "val_acc": accuracy(out, labels)}


data = TensorDataset(torch.randn(20, 4), torch.randint(0, 3, (20,)))
train_loader = DataLoader(data, 5, shuffle=True)
val_loader = DataLoader(data, 10)
model = Net().to(device)
class_weights = torch.tensor([0.2, 0.3, 0.5])
criterion = nn.CrossEntropyLoss(weight=class_weights)  # want: PF307
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda", enabled=False)
stopper = EarlyStopping()
history = []
for epoch in range(2):
    model.train()
    for batch_idx, sample in enumerate(train_loader):
        data, target = sample  # want: PF301
        one_hot = torch.zeros(target.size(0), 3).scatter_(1, target.unsqueeze(1), 1.0)
        with torch.autocast("cpu", enabled=False):
            output = model(data)
            loss = criterion(output, target) + ((output.softmax(1) - one_hot) ** 2).mean()  # want: PF301 # want: PF301
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.detach())
    stopper.step(loss.detach())
    print(len(history))
