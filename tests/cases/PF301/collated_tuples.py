# A batch whose items are stacked may be a tuple of tensors, which has no .to(): the stacked tensor is moved.
import torch
from torch import nn


class Scenes(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.rand(3), torch.rand(2)


def collate_fn(batch):
    return tuple(zip(*batch))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 2).to(device)
loader = torch.utils.data.DataLoader(Scenes(), batch_size=4, collate_fn=collate_fn)
for images, targets in loader:
    images = torch.stack(images)
    targets = torch.stack(targets)
    loss = (model(images) - targets).pow(2).mean()  # want: PF301  # want: PF301
    loss.backward()
