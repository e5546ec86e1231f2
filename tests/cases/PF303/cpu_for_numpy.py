import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
with torch.no_grad():
    prediction = model(torch.ones(2, 4).to(device))
    prediction.cpu()  # want: PF303
    array = prediction.numpy()
print(array.shape)
for i in range(2):
    out = model(torch.ones(1, 4).to(device)).detach()
    out.to("cpu")  # want: PF303
    print(out.numpy().shape)
