# options: unsafe
# A tensor that one path makes, moves or gets from elsewhere may be where the other paths have put it; so may what is computed of a part of it.
# given: from drive import device
import numpy as np
import torch


def scores(queries, corpus, n):
    if isinstance(corpus, np.ndarray):
        corpus = torch.from_numpy(corpus)
    queries = queries / queries.norm(dim=1)[:, None]
    if corpus.device != queries.device:
        corpus = corpus.to(queries.device)
    found = []
    for start in range(0, n, 2):
        found.append(torch.mm(queries[:2], corpus[start : start + 2].T).cpu().numpy())  # want: PF310 unsafe, warning
    return found


class Agent:
    def __init__(self, act, device):
        self.act, self.device = act, device

    def explore(self, env, at_random):
        actions = torch.zeros(2, 3).to(self.device)
        action = torch.rand(1, 3) if at_random else self.act(env.state.to(self.device))
        actions[0] = action
        env.step(action[0].detach().cpu().numpy())  # want: PF310 unsafe, warning
        return actions


def placed_elsewhere(x, settings):
    x = x.to(settings.device)
    return x.cpu().numpy()  # want: PF310


def on_some_path(y, t, together):
    if together:
        y = y + t
    return y.cpu().numpy(), t.cpu().numpy()  # want: PF310 unsafe, warning


def separated(model, track, device="cpu"):
    mix = torch.from_numpy(track)
    mean = mix.mean(dim=0)
    mix = mix - mean.mean()
    estimates = model(mix.to(device))
    estimates = estimates * mean.std() + mean.mean()
    return estimates.cpu().numpy()  # want: PF310 unsafe, warning


class Plots:
    def __init__(self, network, device):
        self.network, self.device = network, device

    def drawn(self, x, plot):
        x = x.to(self.device)
        pairs = [self.network(x), x]
        return [plot(pairs[i][0].data.cpu().numpy()) for i in range(len(pairs))]  # want: PF310 unsafe, warning


def picked(gallery, n):
    is_tensor = isinstance(gallery, torch.Tensor)
    if not is_tensor:
        if torch.cuda.is_available():
            device = torch.cuda.current_device()
        else:
            device = "cpu"
        gallery = torch.tensor(gallery, device=device)
    found = gallery[torch.randperm(len(gallery), device=gallery.device)[:n]]
    if not is_tensor:
        found = found.cpu().numpy()  # want: PF310 unsafe, warning
    return found


# run: from types import SimpleNamespace
# run: x = torch.ones(2, 3).to(device)
# run: print(scores(x, np.ones((2, 3), "float32"), 2))
# run: env = SimpleNamespace(state=torch.ones(1, 3), step=print)
# run: print(Agent(torch.nn.Linear(3, 3).to(device), device).explore(env, False))
# run: print(placed_elsewhere(torch.ones(2), SimpleNamespace(device=device)))
# run: print(on_some_path(x, x, True))
# run: linear = torch.nn.Linear(3, 3, bias=False).to(device).requires_grad_(False)
# run: print(separated(linear, np.ones((2, 3), "float32"), device))
# run: print(Plots(linear, device).drawn(torch.ones(2, 3), len))
# run: print(picked([1, 2, 3], 2))
