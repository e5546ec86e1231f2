import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()


def train(model, loader, device):
    for step, (images, labels) in enumerate(loader):
        images.to(device)  # want: PF303
        labels.to(device, non_blocking=True)  # want: PF303
        loss = criterion(model(images), labels)
        loss.backward()
    return loss.item()


print(train(model, loader, device) > 0)
