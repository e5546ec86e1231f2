import torch
import torch.nn as nn


def build(args):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)  # want: PF203
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    if args.resume:
        state = torch.load(args.resume)
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
    if args.cuda:
        model.cuda()
    return model, optimizer, scheduler
