# rules: all
# want: PF001
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def run(model):
    # of the layer
    # want: PF001
    model.to(device)
    # want: PF001
    return model(torch.ones(1, 2).to(device))


print(run(torch.nn.Linear(2, 2)).shape)
# want: PF001
