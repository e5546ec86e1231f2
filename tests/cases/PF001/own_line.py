# rules: all
# placefix: file-ignore[PF1]  # want: PF001
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def run(model):
    # of the layer
    # placefix: ignore[PF401]  # want: PF001
    model.to(device)
    # placefix: ignore  # want: PF001
    return model(torch.ones(1, 2).to(device))


print(run(torch.nn.Linear(2, 2)).shape)
# placefix: ignore[PF402]  # want: PF001
