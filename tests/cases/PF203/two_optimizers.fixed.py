import torch
import torch.nn as nn


def main(args):
    gen, disc = nn.Linear(2, 6), nn.Linear(6, 1)
    gen.cuda()
    opt_g = torch.optim.Adam(gen.parameters(), betas=(0.5, 0.999))  # want: PF203
    disc.cuda()
    opt_d = torch.optim.Adam(disc.parameters(), betas=(0.5, 0.999))  # want: PF203
    if args.resume:
        saved = torch.load(args.resume)
        opt_g.load_state_dict(saved["g"])
        opt_d.load_state_dict(saved["d"])
    return opt_g, opt_d
# machines: 1,2
# run: import drive, types
# run: g, d = nn.Linear(2, 6), nn.Linear(6, 1)
# run: drive.save("saved.pt", g=torch.optim.Adam(g.parameters()), d=torch.optim.Adam(d.parameters()))
# run: drive.step(*main(types.SimpleNamespace(resume="saved.pt")))
