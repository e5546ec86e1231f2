# options: unsafe
"""Beside TensorFlow and JAX, whose arrays have no method of that name: what has one is torch's."""
import torch


def to_tensor(values):
    values = torch.from_numpy(values).unsqueeze(0)
    return values.cuda()  # want: PF401


def place(batch):
    return batch.cuda()  # want: PF401 unsafe


def convert(batch):
    import jax
    import tensorflow as tf

    return jax.numpy.asarray(tf.constant(batch))


# run: import numpy
# run: print(to_tensor(numpy.ones(3)).sum().item(), place(torch.ones(2)).sum().item())
