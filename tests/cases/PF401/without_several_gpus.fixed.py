"""A test for several GPUs that is false has said nothing of CUDA: what its other arm does runs without CUDA, too."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

settings = {"num_gpu": 1, "gpu_train": True}
num_gpu, gpu_train = settings["num_gpu"], settings["gpu_train"]
net = nn.Linear(4, 2)
if num_gpu > 1 and gpu_train:
    net = nn.DataParallel(net.cuda())
else:
    net = net.to(device)  # want: PF401

x = torch.ones(2, 4)
if num_gpu > 1 and gpu_train:
    print("several GPUs")
else:
    x = x.to(device)  # want: PF401
print(net(x).shape)
