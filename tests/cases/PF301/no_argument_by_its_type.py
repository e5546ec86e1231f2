# options: unsafe
# A tensor that a method gives to a placed module unmoved: it holds lengths, it is moved, it is no tensor by its type, or nothing is moved beside it.
from torch import Tensor


class Explainer:
    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.model.to(self.device)

    def by_lengths(self, x: Tensor, lengths: Tensor):
        x = x.to(self.device)
        return self.model(x, lengths).sum()

    def moved(self, x: Tensor, edge_index: Tensor):
        x, edge_index = x.to(self.device), edge_index.to(self.device)
        return self.model(x, edge_index).sum()

    def no_tensor(self, x: Tensor, index: int):
        x = x.to(self.device)
        return self.model(x, index).sum()


class Others:
    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.model.to(self.device)

    def nothing(self, x: Tensor, edge_index: Tensor):
        return self.model(x, edge_index).sum()

    def like_another(self, x: Tensor, edge_index: Tensor):
        x = x.to(edge_index.device)
        return self.model(x, edge_index).sum()
