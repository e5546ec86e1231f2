"""Tensors of the CPU, and tensors that nothing joins with those that are copied or placed."""
import torch
import torch.nn.functional as F


def copied_before(feature, use_crf):
    feature = feature.cpu()
    if use_crf:
        return feature.numpy()
    return F.softmax(feature, dim=1).cpu().numpy()


def with_a_tensor_of_the_cpu(x, y):
    weights = torch.ones(3) * y
    return x.cpu().numpy(), weights.numpy()


def another_argument(x, y):
    return (x * 2).cpu().numpy(), (y * 2).numpy()


def another_result(model, x, y, device):
    out = model(x.to(device))
    return out.cpu().numpy(), y.float().numpy()


def indexed(scores, labels):
    kept = labels[labels != 0]
    return scores[labels != 0].cpu().numpy(), kept.numpy()


def in_frames(self, tokens):
    if self.framework == "tf":
        return self.model(tokens.data)[0].numpy()
    return self.model(**tokens)[0].cpu().numpy()


def asked(x, y):
    total = x + y
    if x.is_cuda:
        x = x.cpu()
    return x.numpy(), total.numpy()
