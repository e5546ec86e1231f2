import os
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main(resume="missing.pt"):
    torch.manual_seed(2)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)  # want: PF203
    start = 0
    if os.path.isfile(resume):
        print("=> loading", resume)
        checkpoint = torch.load(resume, map_location="cpu")
        start = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    model = model.to(device)
    print("start at", start)
    for step in range(3):
        x = torch.randn(4, 6).to(device)
        y = torch.randint(0, 2, (4,)).to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


main()
# run: import drive
# run: model = Net()
# run: optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
# run: drive.save("missing.pt", epoch=3, state_dict=model, optimizer=optimizer)
# run: main()
