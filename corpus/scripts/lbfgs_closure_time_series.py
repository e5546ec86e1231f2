from __future__ import print_function
import torch
import torch.nn as nn
import torch.optim as optim


class Sequence(nn.Module):
    def __init__(self):
        super(Sequence, self).__init__()
        self.lstm1 = nn.LSTMCell(1, 8)
        self.linear = nn.Linear(8, 1)

    def forward(self, input, future=0):
        outputs = []
        h_t = torch.zeros(input.size(0), 8, dtype=input.dtype, device=input.device)
        c_t = torch.zeros(input.size(0), 8, dtype=input.dtype, device=input.device)
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            output = self.linear(h_t)
            outputs += [output]
        for i in range(future):
            h_t, c_t = self.lstm1(output, (h_t, c_t))
            output = self.linear(h_t)
            outputs += [output]
        return torch.cat(outputs, dim=1)


if __name__ == '__main__':
    torch.manual_seed(0)
    phase = torch.arange(6).double().unsqueeze(1)
    data = torch.sin(phase + torch.arange(20).double() / 4)
    input, target = data[:, :-1].cuda(), data[:, 1:].cuda()
    # build the model
    seq = Sequence()
    seq.double()
    criterion = nn.MSELoss()
    # use LBFGS as optimizer since we can load the whole data to train
    optimizer = optim.LBFGS(seq.parameters(), lr=0.5, max_iter=4)
    seq.cuda()
    # begin to train
    for i in range(3):
        def closure():
            optimizer.zero_grad()
            out = seq(input)
            loss = criterion(out, target)
            loss.backward()
            return loss
        loss = optimizer.step(closure)
        print('STEP:', i, 'loss: %.6f' % loss.item())
    with torch.no_grad():
        print('future: %.5f' % seq(input, future=3)[:, -1].mean().item())
