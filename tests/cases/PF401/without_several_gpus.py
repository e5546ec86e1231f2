"""A test for several GPUs that is false has said nothing of CUDA: what its other arm does runs without CUDA, too."""
import torch
from torch import nn

settings = {"num_gpu": 1, "gpu_train": True}
num_gpu, gpu_train = settings["num_gpu"], settings["gpu_train"]
net = nn.Linear(4, 2)
if num_gpu > 1 and gpu_train:
    net = nn.DataParallel(net.cuda())
else:
    net = net.cuda()  # want: PF401

x = torch.ones(2, 4)
if num_gpu > 1 and gpu_train:
    print("several GPUs")
else:
    x = x.cuda()  # want: PF401
x = x.cuda() if num_gpu > 1 and gpu_train else x.float().cuda()  # want: PF401


def place(model, gpu_ids, use_multi_gpu):
    if len(gpu_ids) > 1:
        print("several GPUs")
    else:
        model = model.train().cuda()  # want: PF401
    if use_multi_gpu:
        print("several GPUs")
    else:
        model = model.train().cuda()  # want: PF401
    return model


print(place(net, [0], False)(x).shape)
