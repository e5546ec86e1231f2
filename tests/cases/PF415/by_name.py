# The rank is known by its name, or by the one assignment of an attribute.
import torch.distributed as dist


def main(args, rank):
    if args.local_rank == 0:
        dist.barrier()  # want: PF415 report, warning
    if rank != 0:
        print("waiting")


class Trainer:
    def __init__(self):
        self.rank = dist.get_rank()

    def log(self, value):
        if self.rank == 0:
            dist.all_reduce(value)  # want: PF415 report
            print(value.item())
