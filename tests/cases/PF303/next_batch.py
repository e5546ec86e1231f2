import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
model = nn.Linear(4, 3).to(device)
criterion = nn.CrossEntropyLoss()
images, labels = next(iter(loader))
images.to(device)  # want: PF303
outputs = model(images)
batch = next(iter(loader))
features = batch[0]
features.to(device)  # want: PF303
print(outputs.shape, model(features).shape, labels.shape)
