import torch
import torch.nn as nn


class Trainer:
    def __init__(self, state=None):
        torch.manual_seed(4)
        self.net = nn.Linear(6, 2)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=1e-2)  # want: PF203
        if state is not None:
            self.opt.load_state_dict(state)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net.to(self.device)

    def step(self):
        loss = self.net(torch.ones(1, 6).to(self.device)).pow(2).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return round(loss.item(), 5)


first = Trainer()
first.step()
second = Trainer(first.opt.state_dict())
print(second.step(), second.step())
