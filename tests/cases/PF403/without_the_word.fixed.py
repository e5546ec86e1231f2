# options: unsafe
# Copyright: somebody
from nets import Generator
import torch


class Processor:
    def __init__(self, width, use_gpu):
        self._model = Generator(width)
        device = torch.device("cuda" if use_gpu else "cpu")
        # want: PF403 unsafe
        self._model.to(device)

    def score(self, batch):
        return self._model(batch)


# run: cuda = __import__("t" + "orch").cuda.is_available()
# run: print(next(Processor(2, cuda)._model.parameters()).is_cuda == cuda)
