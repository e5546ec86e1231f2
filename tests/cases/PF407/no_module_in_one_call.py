# What is a tensor in one call and a module in another is not proven to be a tensor.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cast(thing):
    return thing.type("torch.cuda.FloatTensor")  # want: PF407 unsafe


print(cast(nn.Linear(4, 2))(cast(torch.ones(2, 4))).shape)
