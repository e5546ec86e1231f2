import torch
import torch.nn as nn

device = None


def pick_device():
    global device
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
pick_device()
model.to(device)
