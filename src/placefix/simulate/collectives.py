"""Process groups on simulated devices: gloo does the work, and NCCL is gloo that knows CUDA tensors only."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate.device_tags import host_alias

if TYPE_CHECKING:
    from collections.abc import Callable

_CUDA = torch.device("cuda")


def install_collectives() -> Any:
    """Register the collectives for the CUDA key and provide NCCL; the returned object must be kept alive."""
    import torch.distributed as dist

    if not dist.is_available():
        return None
    from torch._C import _distributed_c10d as c10d_bindings

    operations = _ReduceOperations(c10d_bindings)
    library = torch._C._dispatch_library("IMPL", "c10d", "CUDA", __file__, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that they replace the ones that find no NCCL
        for name, kernel in _GlooKernels(c10d_bindings, operations).by_name().items():
            library.impl(name, "CUDA", kernel, False)
    _install_nccl(c10d_bindings)
    return library


def _aliases(tensors: Any) -> Any:
    """CPU aliases of tensors, in lists of the same shape."""
    return [_aliases(t) if isinstance(t, (list, tuple)) else host_alias(t) for t in tensors]


def _options(kind: Any, **values: Any) -> Any:
    """An options object of a kind, with these attributes."""
    made = kind()
    for name, value in values.items():
        setattr(made, name, value)
    return made


class _ReduceOperations:
    """The reduce operation of the method of ProcessGroup that runs.

    The kernels get it as an opaque object, so it is taken from the arguments of the call; reductions that C++ starts
    itself (DDP's gradients) are sums.
    """

    def __init__(self, c10d_bindings: Any) -> None:
        self._bindings = c10d_bindings
        self._current: list[Any] = []
        for name in dir(c10d_bindings.ProcessGroup):
            if name.startswith(("allreduce", "reduce", "_reduce_scatter")):
                self._watch(name)

    def current(self) -> Any:
        """The operation; a sum outside of a method."""
        return self._current[0] if self._current else self._bindings.ReduceOp.SUM

    def _watch(self, name: str) -> None:
        """Wrap a method of ProcessGroup so that its operation is known while it runs."""
        original = getattr(self._bindings.ProcessGroup, name)
        plain = (self._bindings.ReduceOp, self._bindings.ReduceOp.RedOpType)

        def call(group: Any, *arguments: Any, **options: Any) -> Any:
            """Run the method with its reduce operations recorded."""
            given = [*arguments, *options.values()]
            self._current[:] = [o.reduceOp for o in given if hasattr(o, "reduceOp")]
            self._current += [o for o in given if isinstance(o, plain)]
            try:
                return original(group, *arguments, **options)
            finally:
                self._current.clear()

        setattr(self._bindings.ProcessGroup, name, call)


class _GlooKernels:
    """The kernels of the operators `c10d::…` for the CUDA key: gloo runs each on CPU aliases of the tensors."""

    def __init__(self, c10d_bindings: Any, operations: _ReduceOperations) -> None:
        self._bindings, self._operations = c10d_bindings, operations

    def by_name(self) -> dict[str, Callable[..., Any]]:
        """The kernels, by the name of their operator."""
        return {
            "broadcast_": self.broadcast, "allreduce_": self.allreduce, "allreduce_coalesced_": self.allreduce_coalesced,
            "allgather_": self.allgather, "_allgather_base_": self.allgather_base, "reduce_": self.reduce,
            "gather_": self.gather, "scatter_": self.scatter, "send": self.send, "recv_": self.receive,
            "recv_any_source_": self.receive_any, "barrier": self.barrier, "reduce_scatter_": self.reduce_scatter,
            "_reduce_scatter_base_": self.reduce_scatter_base,
            "reduce_scatter_tensor_coalesced_": self.reduce_scatter_coalesced, "alltoall_": self.alltoall,
            "alltoall_base_": self.alltoall_base, "allgather_into_tensor_coalesced_": self.allgather_into_coalesced,
            "allgather_coalesced_": self.allgather_coalesced,
        }  # fmt: skip

    def _work(self, result: Any) -> Any:
        """A completed work object with `result`."""
        future: Any = torch.futures.Future()
        future.set_result(result)
        return self._bindings._create_work_from_future(future).boxed()

    def _gloo(self, group: Any) -> Any:
        """The CPU back end of a boxed process group."""
        return self._bindings.ProcessGroup.unbox(group)._get_backend(_CUDA)

    # Reductions

    def _reduce(self, tensors: Any, group: Any, run: Callable[[Any, Any], Any]) -> None:
        """Run a reduction on gloo; an average is a sum that is divided afterwards."""
        kinds = self._bindings.ReduceOp
        operation = self._operations.current()
        average = operation == kinds.AVG  # NCCL can, gloo cannot
        gloo = self._gloo(group)
        run(gloo, kinds.SUM if average else operation).wait()
        if average:
            for tensor in tensors:
                tensor.div_(gloo.size())

    def _allreduce(self, aliases: Any, group: Any) -> None:
        kind = self._bindings.AllreduceOptions
        self._reduce(aliases, group, lambda gloo, op: gloo.allreduce(aliases, _options(kind, reduceOp=op)))

    def allreduce(self, tensors: Any, group: Any, op: Any, sparse: Any = None, *_: Any) -> Any:
        """c10d::allreduce_."""
        self._allreduce(_aliases(tensors), group)
        return tensors, self._work(tensors)

    def allreduce_coalesced(self, tensors: Any, group: Any, op: Any, *_: Any) -> Any:
        """c10d::allreduce_coalesced_, one tensor after the other."""
        for tensor in _aliases(tensors):
            self._allreduce([tensor], group)
        return self._work(tensors)

    def reduce(self, tensors: Any, group: Any, op: Any, root_rank: int, root_tensor: int, *_: Any) -> Any:
        """c10d::reduce_."""
        aliases, kind = _aliases(tensors), self._bindings.ReduceOptions
        root = {"rootRank": root_rank, "rootTensor": root_tensor}
        self._reduce(aliases, group, lambda gloo, op: gloo.reduce(aliases, _options(kind, reduceOp=op, **root)))
        return self._work(tensors)

    def _scatter_sum(self, output: Tensor, chunks: Any, group: Any) -> None:
        """Sum the chunks of all ranks; the output gets the chunk with the number of this rank."""
        whole = [host_alias(chunk).clone() for chunk in chunks]
        for chunk in whole:
            self._allreduce([chunk], group)
        host_alias(output).copy_(whole[self._gloo(group).rank()].reshape(output.shape))

    def reduce_scatter(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::reduce_scatter_."""
        for output, chunks in zip(outputs, inputs, strict=True):
            self._scatter_sum(output, chunks, group)
        return outputs, self._work(outputs)

    def reduce_scatter_base(self, output: Tensor, input: Tensor, group: Any, *_: Any) -> Any:
        """c10d::_reduce_scatter_base_."""
        self._scatter_sum(output, input.reshape(-1).chunk(self._gloo(group).size()), group)
        return output, self._work([output])

    def reduce_scatter_coalesced(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::reduce_scatter_tensor_coalesced_, one tensor after the other."""
        for output, input in zip(outputs, inputs, strict=True):
            self.reduce_scatter_base(output, input, group)
        return self._work(outputs)

    # Copies from one rank to all, from all to one, and from all to all

    def broadcast(self, tensors: Any, group: Any, root_rank: int, root_tensor: int, *_: Any) -> Any:
        """c10d::broadcast_."""
        options = _options(self._bindings.BroadcastOptions, rootRank=root_rank, rootTensor=root_tensor)
        self._gloo(group).broadcast(_aliases(tensors), options).wait()
        return tensors, self._work(tensors)

    def gather(self, outputs: Any, inputs: Any, group: Any, root_rank: int, *_: Any) -> Any:
        """c10d::gather_."""
        options = _options(self._bindings.GatherOptions, rootRank=root_rank)
        self._gloo(group).gather(_aliases(outputs), _aliases(inputs), options).wait()
        return self._work(outputs)

    def scatter(self, outputs: Any, inputs: Any, group: Any, root_rank: int, *_: Any) -> Any:
        """c10d::scatter_."""
        options = _options(self._bindings.ScatterOptions, rootRank=root_rank)
        self._gloo(group).scatter(_aliases(outputs), _aliases(inputs), options).wait()
        return outputs, self._work(outputs)

    def allgather(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_."""
        self._gloo(group).allgather(_aliases(outputs), _aliases(inputs)).wait()
        return outputs, self._work(outputs)

    def allgather_base(self, output: Tensor, input: Tensor, group: Any, *_: Any) -> Any:
        """c10d::_allgather_base_."""
        gloo = self._gloo(group)
        gloo.allgather([list(host_alias(output).view(-1).chunk(gloo.size()))], [host_alias(input).reshape(-1)]).wait()
        return output, self._work([output])

    def allgather_into_coalesced(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_into_tensor_coalesced_, one tensor after the other."""
        for output, input in zip(outputs, inputs, strict=True):
            self.allgather_base(output, input, group)
        return self._work(outputs)

    def allgather_coalesced(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::allgather_coalesced_, one tensor after the other."""
        for number, input in enumerate(inputs):
            self._gloo(group).allgather([_aliases([row[number] for row in outputs])], [host_alias(input)]).wait()
        return self._work(inputs)

    def _exchange(self, outputs: Any, inputs: Any, group: Any) -> None:
        """Every rank sends its n-th chunk to the n-th rank; the chunks may differ in size."""
        gloo = self._gloo(group)
        sends = [
            gloo.send([host_alias(chunk).contiguous()], rank, 0)
            for rank, chunk in enumerate(inputs)
            if rank != gloo.rank()
        ]
        for rank, chunk in enumerate(outputs):
            if rank == gloo.rank():
                host_alias(chunk).copy_(host_alias(inputs[rank]))
            else:
                gloo.recv([host_alias(chunk)], rank, 0).wait()
        for work in sends:
            work.wait()

    def alltoall(self, outputs: Any, inputs: Any, group: Any, *_: Any) -> Any:
        """c10d::alltoall_."""
        self._exchange(outputs, inputs, group)
        return outputs, self._work(outputs)

    def alltoall_base(
        self, output: Tensor, input: Tensor, group: Any, output_sizes: Any, input_sizes: Any, *_: Any
    ) -> Any:
        """c10d::alltoall_base_; no sizes: equal shares."""
        size = self._gloo(group).size()
        to, of = [
            tensor.split(list(sizes) if sizes else [tensor.size(0) // size] * size)
            for tensor, sizes in ((output, output_sizes), (input, input_sizes))
        ]
        self._exchange(to, of, group)
        return self._work([output])

    # From one rank to another

    def send(self, tensors: Any, group: Any, to: int, tag: int) -> Any:
        """c10d::send; it is not waited for, because two ranks may send to each other first."""
        return self._gloo(group).send(_aliases(tensors), to, tag).boxed()

    def receive(self, tensors: Any, group: Any, source: int, tag: int) -> Any:
        """c10d::recv_."""
        return self._gloo(group).recv(_aliases(tensors), source, tag).boxed()

    def receive_any(self, tensors: Any, group: Any, tag: int) -> Any:
        """c10d::recv_any_source_."""
        return self._gloo(group).recv_anysource(_aliases(tensors), tag).boxed()

    def barrier(self, tensor: Tensor, group: Any, *_: Any) -> Any:
        """c10d::barrier."""
        self._gloo(group).barrier().wait()
        return self._work([])


def _install_nccl(c10d_bindings: Any) -> None:
    """Provide ProcessGroupNCCL, and the figures of NCCL that torch reads where it is in use."""
    import torch.distributed as dist
    from torch.distributed import distributed_c10d

    groups: list[Any] = []

    class _Nccl(type):
        def __instancecheck__(cls, value: object) -> bool:
            return any(value is group for group in groups)

        def __call__(cls, store: Any, rank: int, size: int, given: Any = None) -> Any:
            torch.cuda._lazy_init()
            made = c10d_bindings.ProcessGroupGloo(store, rank, size)
            groups.append(made)
            return made

    class _NcclOptions:
        is_high_priority_stream = False
        _timeout: Any = None
        global_ranks_in_group: Any = None
        group_name = ""

    class ProcessGroupNCCL(metaclass=_Nccl):
        """Replaces torch's ProcessGroupNCCL, which CPU builds do not have."""

        Options = _NcclOptions

    if not hasattr(c10d_bindings.ProcessGroupGloo, "_shutdown"):
        c10d_bindings.ProcessGroupGloo._shutdown = lambda self: None  # by which torch 2.6 ends a group of NCCL's
    distributed_c10d._NCCL_AVAILABLE = True
    distributed_c10d.ProcessGroupNCCL = dist.ProcessGroupNCCL = ProcessGroupNCCL
    # DDP's logger looks for a timer of CUDA events; its figures are for nobody's eyes but the logger's.
    c10d_bindings.Logger.set_runtime_stats_and_log = lambda self: None
    timeout = distributed_c10d.default_pg_timeout
    c10d_bindings._DEFAULT_PG_NCCL_TIMEOUT = distributed_c10d.default_pg_nccl_timeout = timeout
    torch.cuda.nccl.version = lambda: (2, 27, 3)
    torch.cuda.nccl.is_available = lambda tensors: False
