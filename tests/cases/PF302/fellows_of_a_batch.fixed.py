# options: unsafe
# run: torch.manual_seed(0)
# run: trainer = Trainer(Tagger(), [nn.Linear(n, 3).weight.data for n in (4, 2)] + [nn.Linear(2, 3).weight.argmax(1)])
# run: print("%.4f" % trainer.update(trainer.batch))
# run: print(trainer.predict(trainer.batch))
"""Nothing is made here, and of what a method unpacks one thing is not moved, as another method does."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.units = nn.Linear(4, 3)
        self.features = nn.Linear(2, 3)

    def forward(self, units, features):
        return self.units(units) + self.features(features)


class Trainer:
    def __init__(self, model, batch):
        self.use_cuda = torch.cuda.is_available()
        self.model = model
        self.batch = batch
        if self.use_cuda:
            self.model.cuda()

    def update(self, inputs):
        units, features, labels = inputs
        if self.use_cuda:
            units = units.cuda()
            features = features.cuda()
            labels = labels.cuda()
        pred = self.model(units, features)
        return nn.functional.cross_entropy(pred, labels).item()

    def predict(self, inputs):
        units, features, labels = inputs
        if self.use_cuda:
            units = units.cuda()  # want: PF302 unsafe, warning
            features = features.cuda()
        pred = self.model(units, features)
        return pred.data.cpu().numpy().shape
