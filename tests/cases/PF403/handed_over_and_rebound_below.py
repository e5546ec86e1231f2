"""What is moved is the caller's, whatever the name is bound to further down: it may lie on a GPU already."""
import torch
from torch import nn


class Cam:
    def __init__(self, model, use_cuda=False):
        self.model = model.eval()
        self.use_cuda = use_cuda

    def __call__(self, image):
        if self.use_cuda:  # want: PF403 unsafe
            image = image.cuda()
        image = torch.autograd.Variable(image, requires_grad=True)
        return self.model(image)

    def on_a_view(self, image):
        image = torch.autograd.Variable(image)
        if self.use_cuda:  # want: PF403 unsafe
            image = image.cuda()
        return self.model(image)

    def on_a_part(self, image, mask):
        if mask is not None:
            image = torch.from_numpy(mask)
        if self.use_cuda:  # want: PF403 unsafe
            image = image.cuda()
        return self.model(image)


# run: cam = Cam(nn.Linear(3, 2))
# run: print(cam(torch.ones(2, 3)).shape, cam.on_a_view(torch.ones(2, 3)).shape, cam.on_a_part(torch.ones(2, 3), None).shape)
