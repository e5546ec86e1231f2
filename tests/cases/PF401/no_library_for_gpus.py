"""No new device where a function needs a library for GPUs."""
import importlib

import faiss
import torch

trt = importlib.import_module("tensorrt")


def clustered(x):
    resources = faiss.StandardGpuResources()
    return resources, torch.relu(x).cuda()  # want: PF401 report


def built(x):
    builder = trt.Builder(trt.Logger(trt.Logger.WARNING))
    return builder, torch.relu(x).cuda()  # want: PF401 report
