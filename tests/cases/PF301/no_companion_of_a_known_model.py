"""What arrives with the input and stays on the CPU: it meets nothing of the device, or is moved where it is used."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        return self.layer(x)


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = Net().to(self.device)

    def compare_on_the_cpu(self, inputs):
        units, labels, _ = inputs
        units = units.to(self.device)
        return F.cross_entropy(self.model(units).cpu(), labels)

    def move_where_it_is_used(self, inputs):
        units, labels, _ = inputs
        units = units.to(self.device)
        output = self.model(units)
        return F.cross_entropy(output, labels.to(output.device))

    def prepare(self, inputs):
        values = [part.to(self.device) for part in inputs]
        return tuple(values)

    def weigh_what_a_method_moved(self, inputs):
        units, labels, weights = self.prepare(inputs)
        units = units.float().to(self.device)
        return (F.cross_entropy(self.model(units), labels) * weights.view(-1)).sum()

    def weigh_by_an_argument(self, units, weights):
        units = units.to(self.device)
        return (self.model(units).sum(1) * weights).sum()

    def count(self, inputs):
        units, labels, _ = inputs
        units = units.to(self.device)
        return self.model(units).argmax(1).tolist(), (labels == labels[0]).sum().item()


batch = torch.ones(2, 3), torch.ones(2, dtype=torch.long), torch.ones(2)
trainer = Trainer()
for method in (trainer.compare_on_the_cpu, trainer.move_where_it_is_used, trainer.weigh_what_a_method_moved):
    print(method(batch).item())
print(trainer.weigh_by_an_argument(batch[0], batch[2].to(trainer.device)).item())
print(trainer.count(batch)[1])
