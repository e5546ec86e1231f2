# options: unsafe
# A function returns several values in one order in two arms, and moves one of them in one arm only, beside another that it moves in both.
# given: class Env:
# given:     def step(self, action):
# given:         return torch.ones(2), torch.ones(2), torch.zeros(2)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: observed, rewards, dones = step(Env(), 1, True, device)
# run: print((observed + rewards + dones).sum().item())
import torch


def step(env, action, tensors, device):
    observed, rewards, dones = env.step(action)
    if tensors:
        return observed.to(device), rewards.to(device), dones.to(device)  # want: PF302 unsafe, warning
    return (
        torch.from_numpy(observed).to(device),
        torch.from_numpy(rewards).to(device),
        torch.from_numpy(dones).to(device),
    )
