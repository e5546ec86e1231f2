from torch.nn import LayerNorm, Linear, Module


class Net(Module):
    def __init__(self):
        super().__init__()
        self.layers = [Linear(4, 4), LayerNorm(4)]  # want: PF306 report

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
