"""Only the re-created top layer is placed again; the rest is placed already (deep clustering)."""
import torch
import torch.nn as nn

torch.manual_seed(123)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.features = nn.Linear(8, 10)
        self.top_layer = nn.Linear(10, 2)

    def forward(self, x):
        x = torch.relu(self.features(x))
        return self.top_layer(x) if self.top_layer is not None else x


model = Net()
model.to(device)
optimizer = torch.optim.SGD(
    filter(lambda p: p.requires_grad, model.features.parameters()), lr=0.05)
x = torch.randn(20, 8).to(device)

for epoch in range(3):
    model.top_layer = None
    with torch.no_grad():
        clusters = (model(x).sum(1) > model(x).sum(1).mean()).long()
    model.top_layer = nn.Linear(10, 2)
    model.top_layer.weight.data.normal_(0, 0.01)
    model.top_layer.bias.data.zero_()
    model.top_layer.to(device)
    optimizer_tl = torch.optim.SGD(model.top_layer.parameters(), lr=0.05)
    for _ in range(4):
        loss = nn.functional.cross_entropy(model(x), clusters)
        optimizer.zero_grad()
        optimizer_tl.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer_tl.step()
    print('epoch', epoch, 'loss', round(loss.item(), 5))
