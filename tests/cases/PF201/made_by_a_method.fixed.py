import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, lr=0.1, epochs=2):
        self.model = model
        self.lr = lr
        if epochs < 1:
            raise ValueError("nothing to do")
        self.epochs = epochs
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model.to(self.device)
        self.optimizer = self._make_optimizer()  # want: PF201

    def _make_optimizer(self):
        groups = [{"params": [p], "lr": self.lr} for p in self.model.parameters()]
        return torch.optim.Adagrad(groups)

    def fit(self):
        for _ in range(self.epochs):
            loss = self.model(torch.ones(3, 6, device=self.device)).pow(2).sum()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return round(loss.item(), 4)


torch.manual_seed(3)
print(Trainer(nn.Linear(6, 2)).fit())
