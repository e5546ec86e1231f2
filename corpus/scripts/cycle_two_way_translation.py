"""Two generators, one optimizer over both, a guard per group of placements."""
import itertools

import torch
import torch.nn as nn

cuda = True if torch.cuda.is_available() else False
torch.manual_seed(90)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.model = nn.Sequential(nn.Linear(6, 10), nn.LeakyReLU(0.2), nn.Linear(10, 6))

    def forward(self, x):
        return x + self.model(x)


# Losses
criterion_cycle = torch.nn.L1Loss()
criterion_identity = torch.nn.L1Loss()

# Initialize the two directions
G_AB = Generator()
G_BA = Generator()

if cuda:
    G_AB = G_AB.cuda()
    G_BA = G_BA.cuda()
    criterion_cycle.cuda()
    criterion_identity.cuda()

optimizer_G = torch.optim.Adam(
    itertools.chain(G_AB.parameters(), G_BA.parameters()), lr=2e-3, betas=(0.5, 0.999)
)
lr_scheduler_G = torch.optim.lr_scheduler.LambdaLR(optimizer_G, lr_lambda=lambda e: 0.9 ** e)

for epoch in range(3):
    for i in range(5):
        real_A = torch.randn(8, 6)
        real_B = torch.rand(8, 6)
        if cuda:
            real_A = real_A.cuda()
            real_B = real_B.cuda()

        optimizer_G.zero_grad()
        loss_id = criterion_identity(G_BA(real_A), real_A) + criterion_identity(G_AB(real_B), real_B)
        recov_A = G_BA(G_AB(real_A))
        recov_B = G_AB(G_BA(real_B))
        loss_cycle = criterion_cycle(recov_A, real_A) + criterion_cycle(recov_B, real_B)
        loss_G = 10.0 * loss_cycle + 5.0 * loss_id
        loss_G.backward()
        optimizer_G.step()
    lr_scheduler_G.step()
    print("[Epoch %d/3] [G loss: %f]" % (epoch, loss_G.item()))
