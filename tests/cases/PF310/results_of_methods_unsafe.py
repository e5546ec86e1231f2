# options: unsafe
# A method of a module that is not seen gets tensors on a device: its result, and that of other methods of the class, is taken to be there.
# given: from drive import device
import torch


class Searcher:
    def __init__(self, network, device):
        self.network, self.device = network, device

    def decoded(self, data):
        data = data.to(self.device)
        found, lengths = self.network.decode(data)
        return found.numpy(), lengths.cpu().numpy()  # want: PF310 unsafe, warning

    def scores(self, data):
        with torch.no_grad():
            scores = self.network.predict(data.to(self.device))[0]
        return scores.reshape(-1).numpy()  # want: PF310 unsafe, warning

    def ranked(self, data):
        return self.top(self.network.predict(data.to(self.device)))

    def top(self, scores):
        return scores.detach().numpy()  # want: PF310 unsafe, warning


class Net(torch.nn.Linear):
    def decode(self, x):
        return self(x).detach(), x.sum(dim=1)

    def predict(self, x):
        return self(x).relu()


# run: torch.manual_seed(0)
# run: search = Searcher(Net(3, 2).to(device), device)
# run: x = torch.ones(2, 3)
# run: print([part.sum().round(3) for part in search.decoded(x)], search.scores(x).round(3), search.ranked(x).round(3))
