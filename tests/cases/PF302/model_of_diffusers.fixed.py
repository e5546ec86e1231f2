"""A model of diffusers is a module: its samples have to be on its device. A single step is moved by it, several are not."""
import torch
from diffusers import UNet2DModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = UNet2DModel(3).to(device)
images = torch.ones(2, 3, 4, 4, device=device)  # want: PF302
steps = torch.tensor([1, 2], device=device)  # want: PF302
print(net(images, steps, return_dict=False)[0].shape)
