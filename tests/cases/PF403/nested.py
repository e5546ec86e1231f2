# options: unsafe
"""Looks and loops inside a guard do not matter to it."""
import torch


def load(state, x, mask, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        x = x.float().cuda()
    else:
        x = x.float()
    if use_cuda:  # want: PF403 unsafe
        x = x.cuda()
        if mask is not None:
            mask = mask.cuda(non_blocking=True)
        for key, value in state.items():
            if torch.is_tensor(value):
                state[key] = value.cuda()
    return x, mask, state
# run: state, x = {"a": torch.ones(2), "b": 1}, torch.ones(3)
# run: x, mask, state = load(state, x, torch.ones(3), torch.cuda.is_available())
# run: print((x + mask).sum().item(), state["a"].sum().item())
