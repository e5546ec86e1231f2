"""A command line option that is called --cuda asks for no GPU: its user decides."""
import click
import torch
import torch.nn as nn
from torch.cuda.amp import custom_fwd


@click.command()
@click.option("--steps", type=int, required=True, help="how many; without a GPU, few")
@click.option("--cuda/--no-cuda", default=True)
def main(steps, cuda):
    """Trains a little."""
    net = nn.Linear(4, 2)
    x = torch.ones(3, 4)
    if cuda:  # want: PF403
        net.cuda()
        x = x.cuda()
    for _ in range(steps):
        print(net(x).shape)


class Noise(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x):
        """What torch is told of autocasting asks for no GPU either."""
        return x


if __name__ == "__main__":
    main()
# not run: the command line that it is made for is missing
