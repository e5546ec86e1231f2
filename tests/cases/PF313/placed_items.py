# __getitem__ places the items, on the GPU where there is one.
import torch
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Pairs(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return {"x": torch.ones(3).to(device), "y": index}


loader = DataLoader(Pairs(), batch_size=4, pin_memory=True)
for batch in loader:  # want: PF313 report
    print(batch["x"].sum())
