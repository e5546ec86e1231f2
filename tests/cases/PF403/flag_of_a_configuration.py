# Options that are told to parse are read after that: where the model is placed.
# run: opt.parse({"use_gpu": torch.cuda.is_available()}); print(train(torch.ones(1, 2)).shape)
import torch
from torch import nn


class Options:
    use_gpu = True

    def parse(self, words):
        for name, value in words.items():
            setattr(self, name, value)


opt = Options()


def train(batch: torch.Tensor):
    model = nn.Linear(2, 2)
    if opt.use_gpu:  # want: PF403
        model.cuda()
        batch = batch.cuda()
    return model(batch)


if __name__ == "__main__":
    opt.parse({"use_gpu": False})
    train(torch.ones(1, 2))
