import torch
import torch.nn as nn


def main(args, device):
    model = nn.Linear(6, 2)
    if args.opt == "adam":
        optimizer = torch.optim.Adam(model.parameters())  # want: PF203
    else:
        raise NotImplementedError(args.opt)
    if args.resume:
        optimizer.load_state_dict(torch.load(args.resume)["optimizer"])
    model.to(device)
    return optimizer
# run: import drive, types
# run: drive.save("saved.pt", optimizer=torch.optim.Adam(nn.Linear(6, 2).parameters()))
# run: drive.step(main(types.SimpleNamespace(opt="adam", resume="saved.pt"), drive.device))
