"""Guarded here, unguarded there: the script crashes on machines without a GPU."""
import random
from collections import deque

import torch
import torch.nn as nn
import torch.optim as optim

USE_CUDA = torch.cuda.is_available()


class DQN(nn.Module):
    def __init__(self, n_obs=4, n_actions=2):
        super(DQN, self).__init__()
        self.layers = nn.Sequential(nn.Linear(n_obs, 16), nn.ReLU(), nn.Linear(16, n_actions))

    def forward(self, x):
        return self.layers(x)


class ReplayBuffer(object):
    def __init__(self, capacity):
        self.buffer = deque(maxlen=capacity)

    def push(self, *transition):
        self.buffer.append(transition)

    def sample(self, batch_size):
        return zip(*random.sample(self.buffer, batch_size))


def compute_td_loss(model, optimizer, replay, batch_size, gamma=0.9):
    state, action, reward, next_state = replay.sample(batch_size)
    state = torch.stack(state)
    next_state = torch.stack(next_state)
    if USE_CUDA:
        state = state.cuda()
        next_state = next_state.cuda()
    action = torch.LongTensor(action).cuda()
    reward = torch.FloatTensor(reward).cuda()
    q_value = model(state).gather(1, action.unsqueeze(1)).squeeze(1)
    expected = reward + gamma * model(next_state).max(1)[0].detach()
    loss = (q_value - expected).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(97)
    random.seed(97)
    model = DQN()
    if USE_CUDA:
        model = model.cuda()
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    replay = ReplayBuffer(100)
    for frame in range(40):
        state = torch.randn(4)
        replay.push(state, random.randrange(2), random.random(), torch.randn(4))
        if len(replay.buffer) >= 16 and frame % 8 == 7:
            print(frame, round(compute_td_loss(model, optimizer, replay, 16), 5))


if __name__ == "__main__":
    main()
