"""A scheduler of diffusers gives noisy samples on the device of the samples: what they meet has to be there."""
import torch
from diffusers import DDPMScheduler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scheduler = DDPMScheduler(num_train_timesteps=10)
images = torch.ones(2, 3, 4, 4, device=device)
noise = torch.full((2, 3, 4, 4), 0.5, device=device)
steps = torch.tensor([1, 2])
noisy = scheduler.add_noise(images, noise, steps)
scale = torch.full((2, 1, 1, 1), 0.5, device=device)  # want: PF302
print((noisy * scale).sum())
