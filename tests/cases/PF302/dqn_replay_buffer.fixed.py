import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class QNetwork(nn.Module):
    def __init__(self, state_size, action_size):
        super().__init__()
        self.fc1 = nn.Linear(state_size, 16)
        self.fc2 = nn.Linear(16, action_size)

    def forward(self, state):
        return self.fc2(F.relu(self.fc1(state)))


class ReplayBuffer:
    def __init__(self, batch_size):
        self.memory = deque(maxlen=1000)
        self.batch_size = batch_size
        self.experience = namedtuple("Experience", ["state", "action", "reward", "next_state", "done"])

    def add(self, *args):
        self.memory.append(self.experience(*args))

    def sample(self):
        experiences = random.sample(list(self.memory), k=self.batch_size)
        states = torch.from_numpy(np.vstack([e.state for e in experiences])).float().to(device)  # want: PF302
        actions = torch.from_numpy(np.vstack([e.action for e in experiences])).long().to(device)  # want: PF302
        rewards = torch.from_numpy(np.vstack([e.reward for e in experiences])).float().to(device)  # want: PF302
        next_states = torch.from_numpy(np.vstack([e.next_state for e in experiences])).float().to(device)  # want: PF302
        dones = torch.from_numpy(np.vstack([e.done for e in experiences]).astype(np.uint8)).float().to(device)  # want: PF302
        return (states, actions, rewards, next_states, dones)


class Agent:
    def __init__(self, state_size, action_size):
        self.qnetwork_local = QNetwork(state_size, action_size).to(device)
        self.qnetwork_target = QNetwork(state_size, action_size).to(device)
        self.optimizer = optim.Adam(self.qnetwork_local.parameters(), lr=5e-4)
        self.memory = ReplayBuffer(4)

    def step(self, state, action, reward, next_state, done):
        self.memory.add(state, action, reward, next_state, done)
        if len(self.memory.memory) > 4:
            self.learn(self.memory.sample(), 0.99)

    def act(self, state, eps=0.1):
        state = torch.from_numpy(state).float().unsqueeze(0).to(device)  # want: PF302
        self.qnetwork_local.eval()
        with torch.no_grad():
            action_values = self.qnetwork_local(state)
        self.qnetwork_local.train()
        if random.random() > eps:
            return np.argmax(action_values.cpu().data.numpy())
        return random.choice(np.arange(2))

    def learn(self, experiences, gamma):
        states, actions, rewards, next_states, dones = experiences
        Q_targets_next = self.qnetwork_target(next_states).detach().max(1)[0].unsqueeze(1)
        Q_targets = rewards + (gamma * Q_targets_next * (1 - dones))
        Q_expected = self.qnetwork_local(states).gather(1, actions)
        loss = F.mse_loss(Q_expected, Q_targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


if __name__ == "__main__":
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
    agent = Agent(4, 2)
    state = np.random.randn(4)
    for t in range(10):
        action = agent.act(state)
        next_state = np.random.randn(4)
        agent.step(state, action, 1.0, next_state, False)
        state = next_state
    print(action)
