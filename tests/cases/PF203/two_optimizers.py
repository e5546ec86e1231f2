import torch
import torch.nn as nn


def main(args):
    gen, disc = nn.Linear(2, 6), nn.Linear(6, 1)
    opt_g = torch.optim.Adam(gen.parameters(), betas=(0.5, 0.999))  # want: PF203
    opt_d = torch.optim.Adam(disc.parameters(), betas=(0.5, 0.999))  # want: PF203
    if args.resume:
        saved = torch.load(args.resume)
        opt_g.load_state_dict(saved["g"])
        opt_d.load_state_dict(saved["d"])
    gen.cuda()
    disc.cuda()
    return opt_g, opt_d
