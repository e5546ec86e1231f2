"""Matrix factorisation, interruptible: the training loop stands in a try block."""
import torch
import torch.nn as nn

torch.manual_seed(40)

USERS, ITEMS, RATINGS = 12, 9, 60
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class MatrixFactorization(nn.Module):
    def __init__(self, rank=4):
        super().__init__()
        self.users = nn.Embedding(USERS, rank)
        self.items = nn.Embedding(ITEMS, rank)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


users = torch.randint(0, USERS, (RATINGS,))
items = torch.randint(0, ITEMS, (RATINGS,))
ratings = torch.rand(RATINGS) * 5  # one to five stars, roughly

model = MatrixFactorization().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
criterion = nn.MSELoss()

try:
    for step in range(30):
        optimizer.zero_grad()
        loss = criterion(model(users, items), ratings)
        loss.backward()
        optimizer.step()
        if step % 10 == 9:
            print("step", step + 1, "loss", round(loss.item(), 5))
except KeyboardInterrupt:
    print("stopped early")
