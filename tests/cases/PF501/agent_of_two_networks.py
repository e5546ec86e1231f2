# rules: all
# options: add-placement
"""A class that trains, made at the module level; two networks in one statement; states and actions of numpy."""
import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable

np.random.seed(0)
torch.manual_seed(0)


class QNet(nn.Module):
    def __init__(self):
        super(QNet, self).__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 2)

    def forward(self, state):
        return self.out(torch.relu(self.hidden(state)))


class Agent(object):
    def __init__(self):
        self.net, self.target = QNet(), QNet()  # want: PF501
        self.memory = np.zeros((20, 10))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)

    def act(self, state):
        state = Variable(torch.unsqueeze(torch.FloatTensor(state), 0))
        return torch.max(self.net(state), 1)[1].data.numpy()[0]

    def learn(self):
        self.target.load_state_dict(self.net.state_dict())
        rows = self.memory[np.random.choice(20, 5), :]
        states = torch.FloatTensor(rows[:, :4])
        actions = torch.LongTensor(rows[:, 4:5].astype(int))
        rewards = torch.FloatTensor(rows[:, 5:6])
        following = torch.FloatTensor(rows[:, 6:])
        wanted = rewards + 0.9 * self.target(following).detach().max(1)[0].view(5, 1)
        loss = nn.functional.mse_loss(self.net(states).gather(1, actions), wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent()
state = np.random.randn(4)
for step in range(24):
    action = agent.act(state)
    following = np.roll(state, int(action) + 1)
    agent.memory[step % 20] = np.hstack((state, [action, following[0]], following))
    if step >= 20:
        print(agent.learn())
    state = following
