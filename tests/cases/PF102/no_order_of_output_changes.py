import torch
import torch.nn as nn


def main(parallel):
    model = nn.Linear(6, 2)
    if parallel:
        print("spreading over", torch.cuda.device_count())
        model = nn.DataParallel(model)  # want: PF102 report
    if torch.cuda.is_available():
        print("on the GPU")
        model.cuda()
    return model
