# rules: PF401,PF402
"""ignite's engines move batches to the device they are given; where the module lies is for the script to say."""
import torch
from ignite import engine
from torch import nn

if __name__ == "__main__":
    model = nn.Linear(3, 1).cuda()  # want: PF401
    optimizer = torch.optim.Adam(params=model.parameters(), lr=0.1)
    trainer = engine.create_supervised_trainer(
        model,
        optimizer,
        nn.MSELoss(),
        device="cuda",  # want: PF402
        non_blocking=True,
    )
    trainer.run([(torch.ones(4, 3), torch.ones(4, 1))], max_epochs=3)
