#!/usr/bin/env python
"""Siamese training: the options decide on CUDA, all other files ask them."""
import torch
from torch.utils.data import DataLoader, TensorDataset

from lib.options import get_options
from networks.siamese import build
from trainer import Trainer


def main():
    opt = get_options()
    torch.manual_seed(opt.seed)
    if opt.cuda:
        torch.cuda.manual_seed(opt.seed)
    data = TensorDataset(torch.randn(24, 1, 6, 6), torch.randn(24, 1, 6, 6), torch.randint(0, 2, (24,)).float())
    loader = DataLoader(data, batch_size=opt.batch_size)
    model = build(opt)
    trainer = Trainer(model, opt)
    for epoch in range(opt.epochs):
        print("epoch", epoch, "loss %.5f" % trainer.train(loader))


if __name__ == "__main__":
    main()
