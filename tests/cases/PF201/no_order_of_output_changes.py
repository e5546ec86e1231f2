import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
for verbose in (True,):
    print(torch.optim.SGD(model.parameters(), lr=0.1))  # want: PF201 report
    print("placing")
    if verbose:
        print("now")
        model.to(device)
