"""Kernels for the CUDA dispatch key that do the work on the CPU.

There is one kernel per operator that has a CUDA kernel in a CUDA build and a kernel of any kind for the CPU: it tests
the devices as the real one does, calls the operator on aliases of its operands that are labelled as CPU tensors,
and labels the results. Operators composed of others are left to torch: their tests, their messages and
their derivatives are the real ones. The kernels are written as source and compiled at once, because a loop
over the arguments of each call would cost more than the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from placefix.simulate import device_checks, device_tags, nondeterminism
from placefix.simulate.generators import host_generator
from placefix.simulate.native_functions import native_functions

if TYPE_CHECKING:
    from collections.abc import Callable

    from placefix.simulate.native_functions import NativeFunction

Packet = Any  # torch._ops.OpOverload

# Kernels that a CUDA build has and a CPU build does not, or that are written by hand in handwritten_kernels.py.
_NOT_GENERATED = frozenset(
    {
        "copy_", "resize_", "set_", "set_.source_Storage", "set_.source_Storage_storage_offset",
        "set_.source_Tensor", "_copy_from_and_resize", "native_dropout", "record_stream", "_local_scalar_dense",
        "empty.memory_format", "empty_strided", "_fused_sdp_choice", "tril_indices", "triu_indices",
    }
)  # fmt: skip

# Composite operators with a kernel as a whole: their composition depends on the device (so would the last
# bits of the result), or is slow. On unlike devices the composition runs, and raises torch's error.
_WHOLE = (
    "convolution", "convolution_backward", "clone", "mkldnn_rnn_layer", "mkldnn_rnn_layer_backward",
    "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_flash_attention_for_cpu_backward",
    "embedding",
    # These make a view in C++, which would take its device from the storage.
    "alias", "_unsafe_view", "view.dtype", "view_as_real", "view_as_complex", "_conj", "_neg_view", "_conj_physical", "lift_fresh",
)  # fmt: skip


def _is_tensors(kind: str) -> bool:
    return kind in ("List[Tensor]", "List[Optional[Tensor]]", "Optional[List[Tensor]]")


def find_operator(name: str) -> Packet | None:
    """The operator of this name and overload, if torch has it."""
    base, _, overload = name.partition(".")
    packet = getattr(torch.ops.aten, base, None)
    return getattr(packet, overload or "default", None)


def _hosts(tensors: Any) -> Any:
    return None if tensors is None else [None if t is None else device_tags.host_alias(t) for t in tensors]


def label_parts(tensor: Tensor, index: int) -> Tensor:
    """Label a tensor that may be a sparse one: it is made of two more."""
    if tensor.layout is torch.sparse_coo:
        for part in ("_indices", "_values"):
            device_tags.tag(getattr(torch.ops.aten, part).default(tensor), index)
    return device_tags.tag(tensor, index)


def _tag_all(tensors: Any, index: int) -> Any:
    return [device_tags.tag(t, index) for t in tensors]


def _resize_to_alias(out: Tensor, alias: Tensor) -> None:
    """Give the caller's `out` the shape that the kernel gave to its alias (they share the storage)."""
    if alias.shape != out.shape or alias.stride() != out.stride():
        out.as_strided_(alias.shape, alias.stride(), alias.storage_offset())


# Matrix products that CUDA has for floating point and complex numbers only, with the name that their error has
# (AT_DISPATCH in aten/src/ATen/native/cuda/Blas.cpp), and the types that it refuses.
_FLOATING_PRODUCTS = {
    "mm": "addmm_cuda", "addmm": "addmm_cuda", "bmm": "baddbmm_cuda", "baddbmm": "baddbmm_cuda", "addmv": "addmv_impl_cuda",
    "dot": "dot",
}  # fmt: skip
# Others that CUDA does not have for these types (dtypesIfCUDA in torch/testing/_internal/common_methods_invocations.py). Their
# messages depend on the GPU's libraries.
_WITHOUT_INTEGERS = {
    "convolution", "avg_pool2d", "avg_pool3d", "max_pool2d_with_indices", "max_pool3d_with_indices", "upsample_bilinear2d",
    "upsample_bicubic2d", "_upsample_bilinear2d_aa",
}  # fmt: skip
_INTEGERS = {
    torch.int64: "Long", torch.int32: "Int", torch.int16: "Short", torch.int8: "Char", torch.uint8: "Byte", torch.bool: "Bool",
}  # fmt: skip


def _refuse_integers(kernel: str, tensor: Tensor) -> None:
    """Raise torch's error of a CUDA kernel that does not exist for integers."""
    raise RuntimeError(f"\"{kernel}\" not implemented for '{_INTEGERS[tensor.dtype]}'")


def _lack_integers(operator: str) -> None:
    """Raise an error for integers that CUDA's operator refuses. The message is the simulator's: the run is not judged."""
    raise NotImplementedError(f"{operator} of integers on a simulated device")


# should_allow_numbers_as_tensors, in python_arg_parser.cpp
_TAKE_NUMBERS = frozenset({"add", "sub", "mul", "div", "floor_divide", "true_divide"})


def _tensor_of(number: complex, like: Any) -> Tensor:
    """A number as a tensor that changes the type of the result as little as the number would."""
    if isinstance(like, Tensor) and type(number) is not complex:
        fits = like.dtype.is_floating_point or like.dtype.is_complex
        if fits or (type(number) is int and like.dtype is not torch.bool) or type(number) is bool:
            return torch.scalar_tensor(number, dtype=like.dtype, device="cpu")
    dtype = torch.long if type(number) is int else torch.bool if type(number) is bool else None
    return torch.scalar_tensor(number, dtype=dtype, device="cpu")


def _base_name(operator: NativeFunction) -> str:
    """The name without the overload, and without the mark of an operator in place."""
    return operator.name.partition(".")[0].rstrip("_")


class _KernelSource:
    """The parts of a kernel's source that depend on its arguments."""

    def __init__(self) -> None:
        self.head: list[str] = []  # the parameters
        self.call: list[str] = []  # the arguments of the operator on the CPU
        self.operands: list[str] = []  # the arguments as they came
        self.before: list[str] = []  # lines before the call
        self.after: list[str] = []
        self.tensors: list[tuple[str, str]] = []  # with their types in the schema

    def add_argument(self, argument: Any, default: str, operator: NativeFunction) -> None:
        """Add an argument of the schema. default: the source of its default value after "=", empty without one."""
        kind = str(argument.type)
        name = argument.name if argument.kwarg_only else f"{argument.name}_"  # some are Python's keywords
        if argument.kwarg_only and "*" not in self.head:
            self.head.append("*")
        self.head.append(f"{name}{default}")
        value = name
        if kind in ("Tensor", "Optional[Tensor]"):
            self.tensors.append((name, kind))
            value = self._tensor(argument, name, operator)
        elif _is_tensors(kind):
            self.tensors.append((name, kind))
            value = f"hosts({name})"
        elif kind in ("Generator", "Optional[Generator]"):
            value = f"generator_of(d, {name})"
        elif kind in ("Device", "Optional[Device]"):
            value = "'cpu'"
        elif argument.name == "half_to_float":
            # CUDA's softmax of half precision can return single precision (as under autocast), the CPU's cannot.
            self.call[0] = f"({self.call[0]}.float() if half_to_float_ else {self.call[0]})"
            value = "False"
        elif argument.name == "input_dtype":  # of the derivative of such a softmax
            value = f"{self.tensors[0][0]}.dtype"
            self.after.append("    r = r.to(input_dtype_)")
        self.call.append(f"{argument.name}={value}" if argument.kwarg_only else value)
        self.operands.append(f"{argument.name}={name}" if argument.kwarg_only else name)

    def _tensor(self, argument: Any, name: str, operator: NativeFunction) -> str:
        """The source of the alias that the operator on the CPU gets for a tensor."""
        is_optional = str(argument.type) != "Tensor"
        if argument.is_out and not is_optional:
            self.before.append(f"    {name}h = resizable({name})")
            self.after.append(f"    grown({name}, {name}h)")
            return f"{name}h"
        value = f"host({name})"
        if is_optional:
            return f"(None if {name} is None else {value})"
        if len(self.tensors) > 1 or not operator.checked:
            # A number among tensors arrives as a number, and only some operators take one.
            number = name if _base_name(operator) in _TAKE_NUMBERS else f"tensor_of({name}, {self.tensors[0][0]})"
            return f"({number} if {name}.__class__ in N else {value})"
        return value


def _device_tests(tensors: list[tuple[str, str]], operator: NativeFunction) -> tuple[str, list[str]]:
    """The line that reads the device of the first tensor, and conditions of which one is true if the devices are not all that one."""
    read = f"M[%s._cdata + {device_tags._DEVICE} >> 3] >> {device_tags._SHIFT} & 0xffff"
    plain = [name for name, kind in tensors if kind == "Tensor"]
    if not plain:
        return "    d = 0", ["True"]
    first = read % plain[0]
    tests = ["d & 255 != 1", *(f"({name}.__class__ not in N and {read % name} != d)" for name in plain[1:])]
    tests += [f"{name} is not None and {read % name} != d" for name, kind in tensors if kind == "Optional[Tensor]"]
    each = [name for name, kind in tensors if _is_tensors(kind)]
    tests += [f"{name} and any(t is not None and {read % 't'} != d for t in {name})" for name in each]
    return f"    d = {first}" if operator.checked else f"    d = -1 if {plain[0]}.__class__ in N else {first}", tests


class _KernelWriter:
    """Writes the source of the kernels, and knows the names that it uses."""

    def __init__(self) -> None:
        self.source: list[str] = []
        self.names: dict[str, Any] = {
            "host": device_tags.host_alias, "resizable": device_tags.resizable_host_alias, "hosts": _hosts, "label": device_tags.tag, "label_parts": label_parts,
            "tag_all": _tag_all, "device_of": device_tags.device_of, "grown": _resize_to_alias, "generator_of": host_generator,
            "I": _INTEGERS, "refuse_integers": _refuse_integers,
            "lack_integers": _lack_integers,
            "alert": nondeterminism.alert, "M": device_tags.MEMORY, "tensor_of": _tensor_of, "N": frozenset({int, float, bool, complex}),
        }  # fmt: skip
        self.written: list[str] = []

    def add(self, operator: NativeFunction, packet: Packet, mismatch: Callable[..., int], whole: bool) -> None:
        """Write one kernel. `mismatch` is called if the operands are not all on one device."""
        number, base = len(self.written), _base_name(operator)
        schema = packet._schema
        self.names[f"op{number}"] = packet._op
        self.names[f"mismatch{number}"] = mismatch
        kernel = _KernelSource()
        for place, argument in enumerate(schema.arguments):
            default = ""
            if argument.has_default_value():
                self.names[f"d{number}_{place}"] = argument.default_value
                default = f"=d{number}_{place}"
            kernel.add_argument(argument, default, operator)
        if not kernel.tensors:
            return
        # Outputs are tested first, as in torch.
        out = {a.name for a in schema.arguments if a.is_out}
        kernel.tensors.sort(key=lambda pair: pair[0] not in out)
        lines = [f"def k{number}({', '.join(kernel.head)}):"]
        if packet is convolution:
            # torch.jit.trace records not this operator, but those that it is composed of.
            self.names["is_tracing"] = torch._C._get_tracing_state
            self.names["composition"] = lambda *a: packet._op_dk(torch._C.DispatchKey.CompositeExplicitAutograd, *a)
            lines.append(f"    if is_tracing() is not None: return composition({', '.join(kernel.operands)})")
        first, tests = _device_tests(kernel.tensors, operator)
        lines += [first, f"    if {' or '.join(tests)}:"]
        named = ", ".join(f"('{name.rstrip('_')}', {name})" for name, _ in kernel.tensors)
        given = f"({', '.join(o for o in kernel.operands if '=' not in o)},)"
        options = f"dict({', '.join(o for o in kernel.operands if '=' in o)})"
        lines.append(f"        d = mismatch{number}(({named},), {given}, {options})")
        if whole:
            lines.append("        if d.__class__ is not int: return d[0]")
        lines.append("    else: d >>= 8")
        alert = nondeterminism.alert_of(operator.name)
        if alert is not None:
            lines.append(f"    if {alert.condition or True}: alert({alert.name!r})")
        if base in _FLOATING_PRODUCTS:
            last = [name for name, kind in kernel.tensors if kind == "Tensor"][-1]
            lines.append(f"    if {last}.dtype in I: refuse_integers({_FLOATING_PRODUCTS[base]!r}, {last})")
        if base in _WITHOUT_INTEGERS:
            first = next(
                name for name, kind in kernel.tensors if kind == "Tensor" and name.rstrip("_") in ("self", "input")
            )
            lines.append(f"    if {first}.dtype in I: lack_integers({base!r})")
        lines += kernel.before
        lines.append(f"    r = op{number}({', '.join(kernel.call)})")
        lines += kernel.after
        result = self._result(schema)
        if "embedding" in base:  # their gradients may be sparse
            result = result.replace("label(", "label_parts(")
        lines.append(f"    return {result}")
        self.source.append("\n".join(lines))
        self.written.append(operator.name)

    @staticmethod
    def _result(schema: Any) -> str:
        written = {}
        for argument in schema.arguments:
            if argument.alias_info is not None and argument.alias_info.is_write:
                for name in argument.alias_info.after_set:
                    written[name] = argument.name if argument.kwarg_only else f"{argument.name}_"

        def one(returned: Any, value: str) -> str:
            """The source of a returned value: the written operand, or the tagged result."""
            info = returned.alias_info
            if info is not None and info.is_write:
                return written[next(iter(info.after_set))]
            if str(returned.type) == "Tensor":
                return f"label({value}, d)"
            return f"tag_all({value}, d)" if str(returned.type) == "List[Tensor]" else value

        if len(schema.returns) == 1:
            return one(schema.returns[0], "r")
        parts = []
        for place, returned in enumerate(schema.returns):
            text = one(returned, f"r[{place}]")
            parts.append(f"(None if r[{place}] is None else {text})" if text.startswith("label(") else text)
        return f"({', '.join(parts)})" if parts else "None"


def _flat(pairs: Any) -> device_checks.Named:
    flat: device_checks.Named = []
    for name, value in pairs:
        if isinstance(value, Tensor):
            flat.append((name, value))
        elif isinstance(value, (list, tuple)):
            flat += [(name, tensor) for tensor in value if tensor is not None]
    return flat


def _mismatch(operator: NativeFunction, packet: Packet) -> Callable[..., int]:
    """The test to make when the operands of an operator are on several devices (or there may be none at all)."""
    hand = device_checks.HAND_WRITTEN.get(operator.name)
    # A structured operator has a kernel for back ends that bring none of their own: the meta function, with
    # its tests, and then the variant that writes to `out`. (The kernel for the Meta key may be Python's.)
    default = torch._C.DispatchKey.CompositeExplicitAutogradNonFunctional
    native = operator.structured and torch._C._dispatch_has_kernel_for_dispatch_key(
        packet.name(), "CompositeExplicitAutogradNonFunctional"
    )
    call = packet._op_dk

    def mismatch(pairs: Any, arguments: Any, options: Any) -> int:
        """Raise the error for operands on unlike devices; returns the index of the common device, -1 without operands."""
        operands = _flat(pairs)
        if not operands:
            return -1
        if operator.checked:
            return device_checks.check_same_device(operator, operands)
        if hand is not None:
            return hand(operands)
        if native:
            return device_checks.check_structured(operator, lambda: call(default, *arguments, **options), operands)
        return device_checks.check_iterator(operands)

    return _noted(mismatch)


def _noted(mismatch: Callable[..., Any]) -> Callable[..., Any]:
    """The test, whose errors are noted when they are raised."""

    def noted(*arguments: Any) -> Any:
        """Call the test of devices, and note the error that it raises."""
        try:
            return mismatch(*arguments)
        except RuntimeError as error:
            device_checks.note_error(error)
            raise

    return noted


convolution = torch.ops.aten.convolution.default


def _composed(packet: Packet) -> Callable[..., Any]:
    """A function for operands on unlike devices: it runs the composition of the operator, if there is one."""
    # Calling a kernel that is not there is a jump to nowhere, so the key is looked for.
    keys = ("CompositeExplicitAutograd", "CompositeImplicitAutograd", "CompositeExplicitAutogradNonFunctional")
    key = next((k for k in keys if torch._C._dispatch_has_kernel_for_dispatch_key(packet.name(), k)), None)
    composition = None if key is None else getattr(torch._C.DispatchKey, key)

    def mismatch(pairs: Any, arguments: Any, options: Any) -> Any:
        """The common device's index, or a tuple with the result of the composition; raises torch's error."""
        operands = _flat(pairs)
        devices = {device_tags.device_of(tensor) for _, tensor in operands}
        if len(devices) == 1:
            return devices.pop()
        if composition is None:
            return device_checks.check_iterator(operands)
        if packet is convolution:
            device_checks.check_convolution(operands)
        return (packet._op_dk(composition, *arguments, **options),)

    return _noted(mismatch)


def generate_kernels() -> dict[str, Callable[..., Any]]:
    """All generated kernels, by the name of their operator."""
    writer = _KernelWriter()
    for name, operator in native_functions().items():
        if name in _NOT_GENERATED or name in _WHOLE:
            continue
        packet = find_operator(name)
        if packet is None or "CUDA" not in operator.kernels:
            continue
        if name.startswith("_foreach_"):
            writer.add(operator, packet, _composed(packet), whole=True)
        elif torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "CPU"):
            writer.add(operator, packet, _mismatch(operator, packet), whole=False)
    for name in _WHOLE:
        packet = find_operator(name)
        if packet is not None:
            writer.add(native_functions()[name], packet, _composed(packet), whole=True)
    exec(compile("\n".join(writer.source), "<simulated kernels>", "exec"), writer.names)
    return {name: writer.names[f"k{number}"] for number, name in enumerate(writer.written)}
