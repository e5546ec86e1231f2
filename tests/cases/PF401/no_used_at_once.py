"""What is formatted, kept or saved may be anything that has a .cuda()."""
import torch


def describe(results):
    print("%s" % results)
    print("moved: %s" % results.cuda())  # want: PF401 unsafe
    return results


def keep(results, path):
    torch.save(results.cuda(), path)  # want: PF401 unsafe
    return torch.as_tensor(results.cuda())  # want: PF401 unsafe
