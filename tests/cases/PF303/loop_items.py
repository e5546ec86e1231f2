import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(12, 3), torch.randint(0, 2, (12,))), batch_size=4)
model = nn.Linear(3, 2)
model.to(device)
loss_fn = nn.CrossEntropyLoss()
loss_fn.to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, labels in loader:
    inputs.to(device)  # want: PF303
    labels.to(device)  # want: PF303
    loss = loss_fn(model(inputs), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
x = torch.randn(2, 3)
x.to(device).float()  # want: PF303 unsafe
print(model(x).shape)
mean = torch.zeros(3)
mean.to(device)  # want: PF303 unsafe, warning
for batch in loader:
    data, target = batch[0], batch[1]
    data.to(device), target.to(device)  # want: PF303
    print(model(data).sum().item() > -100)
tensors = [torch.zeros(2), torch.ones(2)]
for t in tensors:
    t.to(device)  # want: PF303 report, warning
pred = model(torch.randn(1, 3).to(device))
pred.cpu()  # want: PF303 unsafe, warning
print(pred.detach().cpu().numpy().shape)
# after: unsafe
