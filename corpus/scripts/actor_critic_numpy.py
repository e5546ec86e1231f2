"""Actions and rewards go to CUDA and come back: torch.from_numpy, .cpu(), .data[0] as of old."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

np.random.seed(29)
torch.manual_seed(29)


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine = nn.Linear(4, 16)
        self.action_head = nn.Linear(16, 2)
        self.value_head = nn.Linear(16, 1)

    def forward(self, x):
        x = F.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


policy = Policy()
policy.cuda()
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-2)


def select_action(state):
    state = torch.from_numpy(state).float().unsqueeze(0).cuda()
    probs, value = policy(state)
    action = int(probs.detach().cpu().numpy()[0].argmax())
    return action, torch.log(probs[0, action]), value


def finish_episode(rewards, saved):
    returns, R = [], 0
    for r in rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns).cuda()
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = torch.zeros(1).cuda()
    for (log_prob, value), R in zip(saved, returns):
        advantage = R - value.item()
        loss = loss - log_prob * advantage + F.smooth_l1_loss(value, torch.tensor([[R]]).cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for episode in range(4):
    state, saved, rewards = np.random.randn(4), [], []
    for t in range(6):
        action, log_prob, value = select_action(state)
        state = np.roll(state, action + 1)
        rewards.append(float(state[0]))
        saved.append((log_prob, value))
    print("episode", episode, "loss %.4f" % finish_episode(rewards, saved))
