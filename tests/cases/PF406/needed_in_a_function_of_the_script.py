"""A test for CUDA helps no script that fails in another function without it, even if not every run comes there."""
import torch


def memory():
    return torch.cuda.get_device_properties(0).total_memory  # want: PF406 report


def main(verbose):
    if verbose:
        print(memory())
    torch.cuda.synchronize()  # want: PF406 unsafe


if __name__ == "__main__":
    main(False)
