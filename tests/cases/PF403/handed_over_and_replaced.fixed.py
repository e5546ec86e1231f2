"""What is moved is made here, whatever the caller gave: the flag alone decides where it lies."""
# run: print(Cam(nn.Linear(3, 2))(np.ones((2, 3), "float32")).shape)
import numpy as np
import torch
from torch import nn


class Cam:
    def __init__(self, model, use_cuda=False):
        self.model = model.eval()
        self.use_cuda = use_cuda

    def __call__(self, image):
        image = torch.from_numpy(image)
        device = torch.device("cuda" if self.use_cuda else "cpu")
        # want: PF403
        image = image.to(device)
        return self.model(image)
