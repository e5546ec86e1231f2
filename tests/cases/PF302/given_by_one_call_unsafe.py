# options: unsafe
# Two calls in the same words give two tensors; a third call gets both, one of them moved.
# given: class Buffer:
# given:     def sample(self):
# given:         return torch.ones(2, 2)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(step(Buffer(), lambda condition, seed: (condition + seed).sum(), device).item())
import torch


def step(buffer, generate, device):
    condition = buffer.sample()
    seed = buffer.sample()
    seed = seed[torch.arange(2)]
    return generate(condition, seed=seed.to(device))  # want: PF302 unsafe, warning
