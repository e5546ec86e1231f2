# options: unsafe
# run: flag = torch.cuda.is_available()
# run: print(len(prepare([torch.ones(1), torch.ones(2)], flag)), sorted(step({"a": torch.ones(1), "b": 3}, flag)))
"""The items of a list or a dict, moved into a new one of the same name: without CUDA there was no new one."""
import torch


def prepare(xs, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        xs = [x.cuda() for x in xs]
    return xs


def step(batch, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        batch = {k: v.cuda() if torch.is_tensor(v) else v for k, v in batch.items()}
    return batch
