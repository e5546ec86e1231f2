# options: unsafe
# run: build("gpu", torch.nn.Linear(2, 2))
import torch


def build(kind, model):
    match kind:
        case "gpu": model.cuda()  # want: PF401 unsafe
        case _: pass
    return model
