# message: RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
# rules: PF312
# fix: none
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Images(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.ones(3).to(device)


model = nn.Linear(3, 2).to(device)
for x in DataLoader(Images(), batch_size=4, num_workers=1):
    model(x)
