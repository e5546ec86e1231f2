import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
for seed in (12, 13):
    torch.manual_seed(seed)
    try:
        model = nn.Sequential(nn.Linear(6, 4), nn.Tanh())
        model = nn.DataParallel(model)  # want: PF102

        model.to(device)
        print(seed, model(torch.randn(2, 6).to(device)).sum().item())
    except RuntimeError as error:
        print(error)
