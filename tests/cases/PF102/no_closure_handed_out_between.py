import threading
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report


def report():
    print(next(model.parameters()).device)


threading.Timer(0.0, report).start()
model.to(device)
