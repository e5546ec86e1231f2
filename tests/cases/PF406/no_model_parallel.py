import torch


def forward(self, x):
    if self.model_parallel:
        torch.cuda.set_device(self.first_device)
    if self.args.local_rank >= 0:
        torch.cuda.set_device(self.args.local_rank)
    return x
