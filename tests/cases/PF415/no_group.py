# A group of some processes, calls between two processes, and calls that return at once.
import torch.distributed as dist


def main(tensor, group):
    if dist.get_rank() == 0:
        dist.all_reduce(tensor, group=group)
        dist.send(tensor, dst=1)
        print(dist.get_world_size())
        dist.destroy_process_group()


def start(rank):
    if rank == 0:
        dist.init_process_group("gloo")


def by_position(tensor, group):
    if dist.get_rank() == 0:
        dist.barrier(group)
        dist.all_reduce(tensor, dist.ReduceOp.SUM, group)
        dist.new_group([0], use_local_synchronization=True)
