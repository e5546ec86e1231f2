"""On the CPU nothing was moved: what may be no tensor is not moved there now."""
import torch


class Scorer:
    def __init__(self, agent, use_cuda):
        self.agent = agent
        self.use_cuda = use_cuda

    def score(self, messages):
        batch = self.agent.batchify(messages)
        if self.use_cuda:  # want: PF403 unsafe
            batch = batch.to("cuda")
        return self.agent.score(batch)


def unpack(batch, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        inputs = [b.cuda() if b is not None else None for b in batch[:6]]
    else:
        inputs = [b if b is not None else None for b in batch[:6]]
    return inputs


def split(data, use_cuda):
    words, tags = data
    if use_cuda:  # want: PF403 unsafe
        words, tags = words.cuda(), tags.cuda()
    return words, tags


def first(models, use_cuda):
    return models[0].cuda() if use_cuda else models[0]  # want: PF403 unsafe
