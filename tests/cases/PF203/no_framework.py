import torch
import torch.nn as nn
import deepspeed


def main(args, device):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.load_state_dict(torch.load(args.path))
    model.to(device)
    return deepspeed.initialize(args=args, model=model, optimizer=optimizer)
