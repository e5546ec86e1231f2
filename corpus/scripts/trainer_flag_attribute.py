"""A trainer that keeps its flag: lists of tensors, dicts, nested parts and a lambda under it."""
import torch
from torch import nn, optim


class Trainer:
    def __init__(self, model, use_cuda=None):
        self.use_cuda = torch.cuda.is_available() if use_cuda is None else use_cuda
        self.model = model.cuda() if self.use_cuda else model
        self.optimizer = optim.Adam(filter(lambda p: p.requires_grad, self.model.parameters()), lr=0.01)
        self.losses = []

    def _move(self, batch):
        if self.use_cuda:
            return {key: value.cuda() for key, value in batch.items()}
        else:
            return batch

    def step(self, batch):
        batch = self._move(batch)
        scores = self.model(batch["x"])
        weight = torch.tensor([1.0, 0.5, 2.0])
        if self.use_cuda:
            weight = weight.cuda()
        loss = nn.functional.cross_entropy(scores, batch["y"], weight=weight)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())


def main():
    torch.manual_seed(23)
    trainer = Trainer(nn.Sequential(nn.Linear(4, 9), nn.ELU(), nn.Linear(9, 3)))
    data = [{"x": torch.randn(5, 4), "y": torch.randint(0, 3, (5,))} for _ in range(4)]
    for batch in data:
        trainer.step(batch)
    print(" ".join("%.5f" % loss for loss in trainer.losses))


if __name__ == "__main__":
    main()
