# rules: all
# machines: 1,2
# run: run(Net())
import torch


class Net(torch.nn.Linear):
    def __init__(self):
        super().__init__(2, 2)


def run(model):
    model.cuda()  # placefix: ignore[PF401] the cluster has nothing else # want: PF001
    # placefix: ignore[ PF401 ] nothing else  # want: PF001
    x = torch.ones(1, 2).cuda()
    y = torch.ones(1, 2).cuda()  # noqa: E501, PF401,W291  # want: PF001
    return model(x + y)  # noqa: E501  # want: PF001
