# options: unsafe
# numpy reads a tensor that is detached from a graph, or differentiated, in a function that copies or places another tensor.
# given: from drive import device
import torch


def scores(model, x, y, device):
    x = x.to(device)
    found = model(x)
    return float(found.detach().numpy().sum())  # want: PF310 unsafe, warning


class Gamma:
    def __init__(self, count, probs):
        self.count, self.probs = count, probs

    def parts(self):
        count = self.count.detach().cpu().numpy()
        return count, 1.0 - self.probs.detach().numpy()  # want: PF310 unsafe, warning


# run: x = torch.ones(2, 3)
# run: gamma = Gamma(torch.ones(2).to(device), torch.ones(2).to(device))
# run: print(scores(torch.nn.Softmax(dim=1).to(device), x, x, device), sum(part.sum() for part in gamma.parts()))
