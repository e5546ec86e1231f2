import torch
from torch import nn
from torch.utils.data import ConcatDataset, DataLoader, Subset, TensorDataset
from tqdm.auto import tqdm

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
full = TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,)))
train_set = ConcatDataset([Subset(full, range(10)), Subset(full, range(10, 20))])
train_dl = DataLoader(train_set, batch_size=5, shuffle=True, num_workers=2)
test_dl = DataLoader(Subset(full, range(20, 30)), batch_size=5)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
net.to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ce = nn.CrossEntropyLoss()

for epoch in range(2):
    with tqdm(train_dl, unit="batch") as tepoch:
        for x, y in tepoch:  # want: PF301
            x = x.to(device)
            y = y.to(device)
            tepoch.set_description(f"Epoch {epoch}")
            opt.zero_grad()
            out = net(x)
            loss = ce(out, y)
            loss.backward()
            opt.step()
            tepoch.set_postfix(loss=loss.item())
    correct = 0
    for batch in tqdm(test_dl, desc="test"):
        correct += (
            (net(batch[0].to(device)).argmax(1) == batch[1].to(device)).sum().item()
        )  # want: PF301 # want: PF301
    print(correct)
