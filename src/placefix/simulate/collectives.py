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

    for name in dir(c.ProcessGroup):
        if name.startswith(("allreduce", "reduce", "_reduce_scatter")):
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
        made.allgather([list(host_alias(output).view(-1).chunk(made.size()))], [host_alias(input).reshape(-1)]).wait()
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
        """c10d::send by gloo; it is not waited for, because two ranks may send to each other first."""
        return backend(group).send(hosts(tensors), to, tag).boxed()

    def receive(tensors: Any, group: Any, source: int, tag: int) -> Any:
        """c10d::recv_ by gloo."""
        return backend(group).recv(hosts(tensors), source, tag).boxed()

    def receive_any(tensors: Any, group: Any, tag: int) -> Any:
        """c10d::recv_any_source_ by gloo."""
        return backend(group).recv_anysource(hosts(tensors), tag).boxed()

    def own_share(output: Tensor, chunks: Any, group: Any) -> None:
        """Sum the chunks of all ranks; the output gets the chunk with the number of this rank."""
        made = backend(group)
        whole = [host_alias(chunk).clone() for chunk in chunks]
        for chunk in whole:
            reduced(
                [chunk], group, lambda made, op, t=chunk: made.allreduce([t], options(c.AllreduceOptions, reduceOp=op))
            )
        host_alias(output).copy_(whole[made.rank()].reshape(output.shape))

    def reduce_scatter(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::reduce_scatter_ by gloo."""
        for output, chunks in zip(outputs, inputs, strict=True):
            own_share(output, chunks, group)
        return outputs, done(outputs)

    def reduce_scatter_base(output: Tensor, input: Tensor, group: Any, *_: Any) -> Any:
        """c10d::_reduce_scatter_base_ by gloo."""
        own_share(output, input.reshape(-1).chunk(backend(group).size()), group)
        return output, done([output])

    def reduce_scatter_coalesced(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::reduce_scatter_tensor_coalesced_ by gloo, one tensor after the other."""
        for output, input in zip(outputs, inputs, strict=True):
            reduce_scatter_base(output, input, group)
        return done(outputs)

    def allgather_into_coalesced(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_into_tensor_coalesced_ by gloo, one tensor after the other."""
        for output, input in zip(outputs, inputs, strict=True):
            allgather_base(output, input, group)
        return done(outputs)

    def allgather_coalesced(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_coalesced_ by gloo, one tensor after the other."""
        for number, input in enumerate(inputs):
            backend(group).allgather([hosts([row[number] for row in outputs])], [host_alias(input)]).wait()
        return done(inputs)

    def exchange(outputs: Any, inputs: Any, group: Any) -> None:
        """Every rank sends its n-th chunk to the n-th rank; the chunks may differ in size."""
        made = backend(group)
        sent = [
            made.send([host_alias(chunk).contiguous()], rank, 0)
            for rank, chunk in enumerate(inputs)
            if rank != made.rank()
        ]
        for rank, chunk in enumerate(outputs):
            if rank == made.rank():
                host_alias(chunk).copy_(host_alias(inputs[rank]))
            else:
                made.recv([host_alias(chunk)], rank, 0).wait()
        for work in sent:
            work.wait()

    def alltoall(outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::alltoall_ by gloo."""
        exchange(outputs, inputs, group)
        return outputs, done(outputs)

    def alltoall_base(output: Tensor, input: Tensor, group: Any, output_sizes: Any, input_sizes: Any, *_: Any) -> Any:
        """c10d::alltoall_base_ by gloo; no sizes: equal shares."""
        size = backend(group).size()
        given, taken = [
            tensor.split(list(sizes) if sizes else [tensor.size(0) // size] * size)
            for tensor, sizes in ((output, output_sizes), (input, input_sizes))
        ]
        exchange(given, taken, group)
        return done([output])

    def barrier(tensor: Tensor, group: Any, *_: Any) -> Any:
        """c10d::barrier by gloo."""
        backend(group).barrier().wait()
        return done([])

    library = torch._C._dispatch_library("IMPL", "c10d", "CUDA", __file__, 0)
    kernels = {
        "broadcast_": broadcast, "allreduce_": allreduce, "allreduce_coalesced_": allreduce_coalesced,
        "allgather_": allgather, "_allgather_base_": allgather_base, "reduce_": reduce, "gather_": gather,
        "scatter_": scatter, "send": send, "recv_": receive, "recv_any_source_": receive_any, "barrier": barrier,
        "reduce_scatter_": reduce_scatter, "_reduce_scatter_base_": reduce_scatter_base,
        "reduce_scatter_tensor_coalesced_": reduce_scatter_coalesced, "alltoall_": alltoall, "alltoall_base_": alltoall_base,
        "allgather_into_tensor_coalesced_": allgather_into_coalesced, "allgather_coalesced_": allgather_coalesced,
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
