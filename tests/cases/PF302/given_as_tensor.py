# `torch.as_tensor` leaves a tensor where it is: of an unknown value it is a warning, of lists and arrays an error.
# given: def rows_of(name): return [[1.0, 2.0, 3.0]]
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 1).to(device)


def scores(rows):
    given = model(torch.as_tensor(rows).clone())  # want: PF302 warning
    array = np.array(rows, dtype="float32")
    return given + model(torch.as_tensor([[1.0, 2.0, 3.0]])) + model(torch.as_tensor(array))  # want: PF302 # want: PF302


print(scores(rows_of("train")).sum())
