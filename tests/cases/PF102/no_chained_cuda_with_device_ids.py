# The wrap and the placement are one expression: another order of the two would change nothing.
import torch
import torch.nn as nn
import torchvision.models as models


def main(args):
    model = models.__dict__[args.arch](pretrained=args.pretrained)
    if args.arch.startswith("alexnet") or args.arch.startswith("vgg"):
        # only the convolutions are spread
        model.features = torch.nn.DataParallel(model.features)
        model.cuda()
    else:
        model = torch.nn.DataParallel(model, device_ids=args.gpus).cuda()
    optimizer = torch.optim.SGD(model.parameters(), args.lr)
    return model, optimizer
# machines: 1,2
# run: import types
# run: model, _ = main(types.SimpleNamespace(arch="resnet18", pretrained=False, gpus=None, lr=0.1))
# run: print(model(torch.ones(4, 3, 8, 8)).shape)
