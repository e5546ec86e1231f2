"""Process groups on simulated devices: gloo does the work, and NCCL is gloo that knows CUDA tensors only."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor

from placefix.simulate.device_tags import host_alias


def install_collectives() -> Any:
    """Register the collectives for the CUDA key and provide NCCL; the returned object must be kept alive."""
    import torch.distributed as dist

    if not dist.is_available():
        return None
    from torch._C import _distributed_c10d as c
    from torch.distributed import distributed_c10d as c10d

    cuda = torch.device("cuda")

    def done(result: Any) -> Any:
        """A completed work object with `result`."""
        future: Any = torch.futures.Future()
        future.set_result(result)
        return c._create_work_from_future(future).boxed()

    def backend(group: Any) -> Any:
        """The CPU back end (gloo) of a boxed process group."""
        return c.ProcessGroup.unbox(group)._get_backend(cuda)

    def hosts(tensors: Any) -> Any:
        """CPU aliases of tensors, in lists of the same shape."""
        return [hosts(t) if isinstance(t, (list, tuple)) else host_alias(t) for t in tensors]

    def options(kind: Any, **values: Any) -> Any:
        """An options object of a kind, with these attributes."""
        made = kind()
        for name, value in values.items():
            setattr(made, name, value)
        return made

    # The kernels get the reduction as an opaque object, so it is noted at the call; reductions that C++ starts
    # itself (DDP's gradients) are sums.
    noted: list[Any] = []

    def noting(name: str) -> None:
        """Wrap a method of ProcessGroup so that `noted` holds its reduce operation while it runs."""
        original = getattr(c.ProcessGroup, name)

        def call(self: Any, *arguments: Any, **options: Any) -> Any:
            """Run the method with its reduce operations noted."""
            given = [*arguments, *options.values()]
            noted[:] = [o.reduceOp if hasattr(o, "reduceOp") else o for o in given if hasattr(o, "reduceOp")]
            noted[len(noted) :] = [o for o in given if isinstance(o, (c.ReduceOp, c.ReduceOp.RedOpType))]
            try:
                return original(self, *arguments, **options)
            finally:
                noted.clear()

        setattr(c.ProcessGroup, name, call)

    for name in ("allreduce", "allreduce_coalesced", "reduce"):
        noting(name)

    def reduced(tensors: Any, group: Any, run: Any) -> None:
        """Run a reduction on gloo; an average is a sum that is divided afterwards."""
        op = noted[0] if noted else c.ReduceOp.SUM
        average = op == c.ReduceOp.AVG  # NCCL can, gloo cannot
        made = backend(group)
        run(made, c.ReduceOp.SUM if average else op).wait()
        if average:
            for tensor in tensors:
                tensor.div_(made.size())

    def broadcast(tensors: Any, group: Any, root_rank: int, root_tensor: int, *_: Any) -> Any:
        """c10d::broadcast_ by gloo."""
        given = options(c.BroadcastOptions, rootRank=root_rank, rootTensor=root_tensor)
        backend(group).broadcast(hosts(tensors), given).wait()
        return tensors, done(tensors)

    def allreduce(tensors: Any, group: Any, op: Any, sparse: Any = None, *_: Any) -> Any:
        """c10d::allreduce_ by gloo."""
        flat = hosts(tensors)
        reduced(flat, group, lambda made, op: made.allreduce(flat, options(c.AllreduceOptions, reduceOp=op)))
        return tensors, done(tensors)

    def allreduce_coalesced(tensors: Any, group: Any, op: Any, *_: Any) -> Any:
        """c10d::allreduce_coalesced_ by gloo, one tensor after the other."""
        for tensor in hosts(tensors):
            reduced(
                [tensor],
                group,
                lambda made, op, t=tensor: made.allreduce([t], options(c.AllreduceOptions, reduceOp=op)),
            )
        return done(tensors)

    def allgather(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_ by gloo."""
        backend(group).allgather(hosts(outputs), hosts(inputs)).wait()
        return outputs, done(outputs)

    def allgather_base(output: Tensor, input: Tensor, group: Any, *_: Any) -> Any:
        """c10d::_allgather_base_ by gloo."""
        made = backend(group)
        made.allgather([list(host_alias(output).chunk(made.size()))], [host_alias(input)]).wait()
        return output, done([output])

    def reduce(tensors: Any, group: Any, op: Any, root_rank: int, root_tensor: int, *_: Any) -> Any:
        """c10d::reduce_ by gloo."""
        flat = hosts(tensors)
        place = {"rootRank": root_rank, "rootTensor": root_tensor}
        reduced(flat, group, lambda made, op: made.reduce(flat, options(c.ReduceOptions, reduceOp=op, **place)))
        return done(tensors)

    def gather(outputs: Any, inputs: Any, group: Any, root_rank: int, *_: Any) -> Any:
        """c10d::gather_ by gloo."""
        backend(group).gather(hosts(outputs), hosts(inputs), options(c.GatherOptions, rootRank=root_rank)).wait()
        return done(outputs)

    def scatter(outputs: Any, inputs: Any, group: Any, root_rank: int, *_: Any) -> Any:
        """c10d::scatter_ by gloo."""
        backend(group).scatter(hosts(outputs), hosts(inputs), options(c.ScatterOptions, rootRank=root_rank)).wait()
        return outputs, done(outputs)

    def send(tensors: Any, group: Any, to: int, tag: int) -> Any:
        """c10d::send by gloo."""
        backend(group).send(hosts(tensors), to, tag).wait()
        return done(tensors)

    def receive(tensors: Any, group: Any, source: int, tag: int) -> Any:
        """c10d::recv_ by gloo."""
        backend(group).recv(hosts(tensors), source, tag).wait()
        return done(tensors)

    def barrier(tensor: Tensor, group: Any, *_: Any) -> Any:
        """c10d::barrier by gloo."""
        backend(group).barrier().wait()
        return done([])

    library = torch._C._dispatch_library("IMPL", "c10d", "CUDA", __file__, 0)
    kernels = {
        "broadcast_": broadcast, "allreduce_": allreduce, "allreduce_coalesced_": allreduce_coalesced,
        "allgather_": allgather, "_allgather_base_": allgather_base, "reduce_": reduce, "gather_": gather,
        "scatter_": scatter, "send": send, "recv_": receive, "barrier": barrier,
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that they replace the ones that find no NCCL
        for name, kernel in kernels.items():
            library.impl(name, "CUDA", kernel, False)

    groups: list[Any] = []

    class _Nccl(type):
        def __instancecheck__(cls, value: object) -> bool:
            return any(value is group for group in groups)

        def __call__(cls, store: Any, rank: int, size: int, given: Any = None) -> Any:
            torch.cuda._lazy_init()
            made = c.ProcessGroupGloo(store, rank, size)
            groups.append(made)
            return made

    class _Options:
        is_high_priority_stream = False
        _timeout: Any = None
        global_ranks_in_group: Any = None
        group_name = ""

    class ProcessGroupNCCL(metaclass=_Nccl):
        """Replaces torch's ProcessGroupNCCL, which CPU builds do not have."""

        Options = _Options

    if not hasattr(c.ProcessGroupGloo, "_shutdown"):
        c.ProcessGroupGloo._shutdown = lambda self: None  # by which torch 2.6 ends a group of NCCL's
    c10d._NCCL_AVAILABLE = True
    c10d.ProcessGroupNCCL = dist.ProcessGroupNCCL = ProcessGroupNCCL
    # DDP's logger looks for a timer of CUDA events; its figures are for nobody's eyes but the logger's.
    c.Logger.set_runtime_stats_and_log = lambda self: None
    # Figures of NCCL's own that are read where it is in use.
    c._DEFAULT_PG_NCCL_TIMEOUT = c10d.default_pg_nccl_timeout = c10d.default_pg_timeout
    torch.cuda.nccl.version = lambda: (2, 27, 3)
    torch.cuda.nccl.is_available = lambda tensors: False
    return library
