"""Three optimizers fed by filter(), parameter groups and itertools.chain, all built too early."""
import itertools

import torch
from torch import nn, optim


def blob(n, d):
    return torch.randn(n, d)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 6)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        return self.head(torch.relu(self.trunk(x)))


def main():
    torch.manual_seed(33)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    classifier = Backbone()
    encoder = nn.Linear(6, 3)
    decoder = nn.Linear(3, 6)
    critic = nn.Linear(3, 1)

    opt_cls = optim.SGD(
        [
            {"params": classifier.trunk.parameters(), "lr": 0.01},
            {"params": classifier.head.parameters()},
        ],
        lr=0.1,
    )
    opt_ae = optim.Adam(itertools.chain(encoder.parameters(), decoder.parameters()), lr=1e-2)
    opt_critic = optim.RMSprop(filter(lambda p: p.requires_grad, critic.parameters()), lr=1e-3)

    classifier.to(device)
    encoder.to(device)
    decoder.to(device)
    critic.to(device)

    for step in range(4):
        x = blob(16, 6).to(device)
        labels = (x.sum(1) > 0).long()
        loss_cls = nn.functional.cross_entropy(classifier(x), labels)
        code = encoder(x)
        loss_ae = nn.functional.mse_loss(decoder(code), x)
        loss_critic = critic(code.detach()).pow(2).mean()
        for opt, loss in ((opt_cls, loss_cls), (opt_ae, loss_ae), (opt_critic, loss_critic)):
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(step, round(loss_cls.item(), 5), round(loss_ae.item(), 5), round(loss_critic.item(), 6))


if __name__ == "__main__":
    main()
