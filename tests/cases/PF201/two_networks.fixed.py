import torch
import torch.nn as nn

torch.manual_seed(8)
cuda = True if torch.cuda.is_available() else False
generator = nn.Linear(3, 6)
discriminator = nn.Linear(6, 1)
adversarial_loss = nn.BCEWithLogitsLoss()

if cuda:
    generator.cuda()
    discriminator.cuda()
    adversarial_loss.cuda()

# Optimizers
optimizer_G = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))  # want: PF201
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.999))  # want: PF201

device = torch.device("cuda" if cuda else "cpu")
for step in range(3):
    valid = torch.ones(4, 1, device=device)
    fake = generator(torch.randn(4, 3).to(device))
    optimizer_G.zero_grad()
    g_loss = adversarial_loss(discriminator(fake), valid)
    g_loss.backward()
    optimizer_G.step()
    optimizer_D.zero_grad()
    d_loss = adversarial_loss(discriminator(fake.detach()), valid - 1)
    d_loss.backward()
    optimizer_D.step()
    print(round(g_loss.item(), 5), round(d_loss.item(), 5))
