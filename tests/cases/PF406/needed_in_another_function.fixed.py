"""Neither a function that the script calls where there is CUDA, nor one that it does not call, is in the way of a test."""
# run: torch.cuda.is_available() and name()
import torch


def memory():
    return torch.cuda.get_device_properties(0).total_memory  # want: PF406 report


def name():
    return torch.cuda.get_device_name() + "!"  # want: PF406 report


def main(verbose):
    if torch.cuda.is_available():
        print(memory())
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406


if __name__ == "__main__":
    main(False)
