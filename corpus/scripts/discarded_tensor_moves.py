import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(99)
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')


def build(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 8), nn.ReLU(), nn.Linear(8, outputs))


dataset = TensorDataset(torch.randn(36, 4), torch.randn(36, 2))
loader = DataLoader(dataset, batch_size=12)

model = build(4, 2)
model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
criterion = nn.MSELoss()

for epoch in range(3):
    for i, (inputs, targets) in enumerate(loader):
        # move the batch to the GPU
        inputs.to(device)
        targets.to(device)

        prediction = model(inputs)
        loss = criterion(prediction, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('Epoch [{}/3], Loss: {:.4f}'.format(epoch + 1, loss.item()))

probe = torch.ones(1, 4)
probe.to(device)
print('probe', [round(v, 4) for v in model(probe).flatten().tolist()])
