"""The steps of a scheduler of diffusers, and a single step of a model, may be on the CPU; the scheduler is no module."""
import torch
from diffusers import DDPMScheduler, UNet2DModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = UNet2DModel(3).to(device)
scheduler = DDPMScheduler(num_train_timesteps=10)
images = torch.ones(2, 3, 4, 4, device=device)
noisy = scheduler.add_noise(images, torch.zeros_like(images), torch.tensor([1, 2]))
still = scheduler.add_noise(torch.ones(1, 3, 4, 4), torch.ones(1, 3, 4, 4), torch.tensor([3]))
print(noisy.sum(), (still * torch.ones(1)).sum(), net(noisy, torch.tensor(3), return_dict=False)[0].shape)
