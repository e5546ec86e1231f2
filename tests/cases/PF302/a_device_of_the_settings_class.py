# The device of an object of a class is that of the class: the head is on the CPU.
import torch
import torch.nn as nn


class Settings:
    head_device = "cpu"
    device = "cuda"


class Runner:
    def __init__(self, settings):
        self.device = settings.device


settings = Settings()
runner = Runner(settings)
head = nn.Linear(3, 2).to(settings.head_device)
x = torch.ones(2, 3)
print(head(x).shape)
