"""Object detection, 2018 style: the default tensor type places everything in silence."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument('--cuda', default='True', type=str, help='Use CUDA to train model')
args = parser.parse_args()

if torch.cuda.is_available() and args.cuda == 'True':
    torch.set_default_tensor_type('torch.cuda.FloatTensor')
else:
    torch.set_default_tensor_type('torch.FloatTensor')

torch.manual_seed(119)
model = nn.Sequential(nn.Linear(5, 6), nn.ReLU(), nn.Linear(6, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 5)
boxes = torch.rand(10, 4)
for step in range(4):
    loss = nn.functional.smooth_l1_loss(model(x), boxes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print('iter %d || Loss: %.4f' % (step, loss.item()))
