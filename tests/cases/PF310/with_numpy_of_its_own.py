import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Batch:
    def __init__(self, values):
        self.values = values

    def to(self, device):
        self.values = self.values.to(device)
        return self

    def numpy(self):
        return self.values.cpu().numpy()


batch = Batch(torch.arange(3.0)).to(device)
print(batch.numpy())
