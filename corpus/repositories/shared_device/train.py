"""The package has a device of its own; half of the code does not use it yet."""
import torch

from seq2seq import Decoder, Encoder
from seq2seq.common import device
from seq2seq.train import train_step

torch.manual_seed(5)
encoder = Encoder(11, 6).to(device)
decoder = Decoder(11, 6).cuda()
parameters = list(encoder.parameters()) + list(decoder.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
source, target = torch.randint(0, 11, (4, 3)), torch.randint(0, 11, (5, 3))
for step in range(4):
    print("step", step, "loss %.5f" % train_step(encoder, decoder, optimizer, source.cuda(), target.cuda()))
