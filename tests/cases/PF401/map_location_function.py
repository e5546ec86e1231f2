import io

import torch
import torch.nn as nn

net = nn.Linear(3, 2).cuda()  # want: PF401
saved = io.BytesIO()
torch.save(net.state_dict(), saved)
saved.seek(0)
net.load_state_dict(torch.load(saved, map_location=lambda storage, loc: storage.cuda()))  # want: PF401
saved.seek(0)
net.load_state_dict(torch.load(saved, lambda storage, _: storage.cuda()))  # want: PF401
net(torch.ones(1, 3).cuda())  # want: PF401
