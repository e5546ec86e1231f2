import torch
import torch.nn as nn


def build(args):
    model = nn.Linear(6, 2)
    if args.cuda:
        model.cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)  # want: PF203
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    if args.resume:
        state = torch.load(args.resume)
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
    return model, optimizer, scheduler
# run: import drive, types
# run: first = torch.optim.AdamW(nn.Linear(6, 2).parameters())
# run: scheduler = torch.optim.lr_scheduler.StepLR(first, 10)
# run: drive.save("saved.pt", optimizer=first, scheduler=scheduler)
# run: args = types.SimpleNamespace(lr=0.1, resume="saved.pt", cuda=torch.cuda.is_available())
# run: drive.step(build(args)[1])
