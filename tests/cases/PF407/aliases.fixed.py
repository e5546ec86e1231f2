import argparse

import numpy as np
import torch
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
opt = parser.parse_args()
device = torch.device("cuda" if opt.cuda else "cpu")



def sample(n):
    labels = np.array([number for number in range(n)])
    labels = Variable(torch.LongTensor(labels).to(device))
    return (
        Variable(torch.FloatTensor(np.random.normal(0, 1, (n, 4))).to(device)), labels
    )


for images in torch.utils.data.DataLoader(torch.zeros(8, 3), batch_size=4):
    valid = Variable(
        torch.ones(images.size(0), 1, dtype=torch.float32, device=device),
        requires_grad=False,
    )
    real = Variable(images.unsqueeze(1).to(device, torch.float32))
    order = torch.empty(8, dtype=torch.int64, device=device).random_(4)
    empty = torch.FloatTensor().to(device)
# run: print(sample(3)[1], valid.sum().item(), real.sum().item())
