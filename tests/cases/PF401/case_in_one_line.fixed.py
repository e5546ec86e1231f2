# options: unsafe
# run: build("gpu", torch.nn.Linear(2, 2))
import torch


def build(kind, model):
    match kind:
        case "gpu":
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            model.to(device)  # want: PF401 unsafe
        case _: pass
    return model
