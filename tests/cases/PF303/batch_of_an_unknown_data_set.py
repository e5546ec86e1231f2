# options: unsafe
"""A known layer is called with a batch whose move is thrown away: the data set may have placed it, so it is a warning."""
import torch
from pairs import PAIRS

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2).to(device)
for x, y in torch.utils.data.DataLoader(PAIRS, batch_size=2):
    x.to(device)  # want: PF303 unsafe, warning
    print(model(x).shape, y.shape)
