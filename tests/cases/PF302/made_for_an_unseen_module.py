# options: unsafe
# run: torch.manual_seed(0)
# run: rows = [([[1.0, 2.0, 3.0]], [1])]
# run: net = torch.nn.Linear(3, 2)
# run: criterion = torch.nn.CrossEntropyLoss()
# run: cuda = torch.cuda.is_available()
# run: net = net.cuda() if cuda else net
# run: print("%.4f %.4f" % (Trainer(net, criterion, cuda).targets_left(rows), Trainer(net, criterion, cuda).inputs_left(rows)))
"""The file makes both tensors, and moves one of them under a flag; the model is not seen."""
import torch


class Trainer:
    def __init__(self, model, criterion, use_cuda):
        self.model = model
        self.criterion = criterion
        self.use_cuda = use_cuda

    def targets_left(self, rows):
        total = 0
        for inputs, targets in rows:
            inputs = torch.Tensor(inputs)
            targets = torch.LongTensor(targets)
            if self.use_cuda:
                inputs = inputs.cuda()
            predictions = self.model(inputs)
            total += self.criterion(predictions, targets).item()  # want: PF302 unsafe, warning
        return total

    def inputs_left(self, rows):
        total = 0
        for inputs, targets in rows:
            inputs = torch.Tensor(inputs)
            targets = torch.LongTensor(targets)
            if self.use_cuda:
                targets = targets.cuda()
            predictions = self.model(inputs)  # want: PF302 unsafe, warning
            total += self.criterion(predictions, targets).item()
        return total
