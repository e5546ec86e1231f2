import torch


def build(kind, model, device):
    match kind:
        case "gpu": model.to(device)
        case _: pass
    return model
