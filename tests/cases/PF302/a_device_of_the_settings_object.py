# The device that the class gives is another one in the object.
import torch
import torch.nn as nn


class Settings:
    head_device = "cpu"

    def __init__(self):
        self.head_device = "cuda" if torch.cuda.is_available() else "cpu"


settings = Settings()
head = nn.Linear(3, 2).to(settings.head_device)
x = torch.ones(2, 3)  # want: PF302
print(head(x).shape)
