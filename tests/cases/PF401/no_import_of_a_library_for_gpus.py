# No new device in a file that imports a library for GPUs in every run.
import tensorrt as trt
import torch


def converted(net):
    net = torch.nn.Sequential(net, torch.nn.Softmax(dim=1)).cuda()  # want: PF401 report
    return net, torch.ones(1, 3).cuda()  # want: PF401 report


def logger():
    return trt.Logger()
