"""An object of which only methods use CUDA gets its device in the constructor, if that begins with attributes and runs before them."""
# run: pool = Pool([1], 2); pool.place(3); print(pool.more().shape, One(2).more().shape)
import torch


class Pool:
    def __init__(self, graph, size: int):
        """Keep a graph."""

        self.graph = graph
        self.size = size
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

        assert size > 0
        self.only = size == 1

    def place(self, n):
        self.parts = torch.chunk(
            torch.zeros(self.size * n, device=self.device), chunks=n
        )  # want: PF402

    def more(self):
        return torch.zeros(self.size, device=self.device)  # want: PF402


class One:
    def __init__(self, length):
        self.length = length

    def more(self):
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        return torch.zeros(self.length, device=device)  # want: PF402
