# Tensors of a row that belong on the CPU, or go to the device later.
# options: unsafe
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def moved_later(step):
    states = torch.zeros((4, 3))
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    states = states.to(device)
    return step(states, actions, rewards)


def numbers(step, x):
    scale = torch.tensor(0.5)
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    return step(actions * scale, rewards)


def indices(step):
    order = torch.randperm(4)
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    return step(actions[order], rewards[order])


def lengths(step, rnn):
    lengths = torch.tensor([2, 1])
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    return step(rnn(actions, lengths), rewards)


def for_numpy(step):
    states = torch.zeros((4, 3))
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    return step(states.numpy(), actions, rewards)


def two_on_the_cpu(step):
    states = torch.zeros((4, 3))
    masks = torch.zeros((4, 3))
    actions = torch.zeros((4, 1), device=device)
    rewards = torch.zeros((4, 1), device=device)
    return step(states, masks, actions, rewards)


def two_devices(step, x):
    states = torch.zeros((4, 3))
    actions = torch.zeros((4, 1), device=x.device)
    rewards = torch.zeros((4, 1), device=device)
    return step(states, actions, rewards)


def in_other_words(loader, step):
    for data, target in loader:
        data, target = torch.tensor(data).to(device), torch.zeros(len(target), 3)
        step(data, target)


def a_short_row(step):
    states = torch.zeros((4, 3))
    actions = torch.zeros((4, 1), device=device)
    return step(states, actions)
