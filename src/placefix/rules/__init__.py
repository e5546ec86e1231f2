"""The rules, in the order in which they run.

PF400 is first, because a text that cannot be parsed has no other findings. Wraps follow, because they decide which object a placement is
about; then optimizers, tensors and uses of CUDA; suppressions are last. Where two fixes overlap, the earlier rule wins and the other
waits for the next round.

This module has the metadata of each rule. Its documentation and its check are in a file that is loaded when a file triggers the rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from placefix.diagnostic import Rule, Severity
from placefix.lazy_function import LazyFunction
from placefix.prefilter import source_patterns as text

if TYPE_CHECKING:
    from collections.abc import Callable


def _in(module: str, function: str = "check") -> Callable[..., Any]:
    """A function of a rule's file, which is loaded when the rule is used."""
    return cast("Callable[..., Any]", LazyFunction(f"placefix.rules.{module}", function))


def _placed_with(*words: bytes) -> tuple[tuple[bytes, ...], ...]:
    """The triggers of a rule that needs these words and a placement: a move, or a device that is given to a function, which
    may be one of another file that moves."""
    return tuple((*words, place) for place in (b".to(", b".cuda(", b"device=", b"device =", b"device)", b", device,"))


PF001 = Rule(
    "PF001",
    "unused-suppression",
    "a suppression comment silences nothing",
    Severity.STYLE,
    ((b"#",),),
    _in("suppressions.pf001_unused_suppression"),
    patterns=(r"#\s*(?i:placefix\s*:|noqa\s*:[^\n]*PF\d)",),
    check_suppressions=_in("suppressions.pf001_unused_suppression", "check_suppressions"),
)
PF101 = Rule(
    "PF101",
    "ddp-wrap-before-placement",
    "DistributedDataParallel wraps a module that is placed later",
    Severity.ERROR,
    _placed_with(b"DataParallel", b"DistributedDataParallel"),
    _in("ordering.pf101_ddp_wrap_before_placement"), patterns=text.PLACES_SOMETHING, followed=(b"DataParallel", b"DistributedDataParallel"),
)  # fmt: skip
PF102 = Rule(
    "PF102",
    "dataparallel-wrap-before-placement",
    "DataParallel wraps a module that is placed later",
    Severity.STYLE,
    _placed_with(b"DataParallel"),
    _in("ordering.pf102_dataparallel_wrap_before_placement"), patterns=text.PLACES_SOMETHING, followed=(b"DataParallel",),
)  # fmt: skip
PF103 = Rule(
    "PF103",
    "dataparallel-module-not-placed",
    "DataParallel wraps a module that is never placed",
    Severity.ERROR,
    ((b"DataParallel",),),
    _in("ordering.pf103_dataparallel_module_not_placed"),
)
PF104 = Rule(
    "PF104",
    "dataparallel-device-mismatch",
    "DataParallel looks for its module on another GPU than the one it lies on",
    Severity.ERROR,
    ((b"DataParallel",),),
    _in("ordering.pf104_dataparallel_device_mismatch"),
)
PF105 = Rule(
    "PF105",
    "ddp-device-ids",
    "DistributedDataParallel gets device_ids that do not fit its module",
    Severity.ERROR,
    ((b"DataParallel", b"DistributedDataParallel"),),
    _in("distributed.pf105_ddp_device_ids"),
)
PF106 = Rule(
    "PF106",
    "move-after-ddp",
    "a module is moved under DDP, and trained on",
    Severity.ERROR,
    tuple((b"DataParallel", b"DistributedDataParallel", move) for move in (b".cpu(", b".to(", b".cuda(")),
    _in("ordering.pf106_move_after_ddp"),
)
PF107 = Rule(
    "PF107",
    "dataparallel-in-distributed-process",
    "DataParallel wraps a module in a process of a distributed run",
    Severity.ERROR,
    ((b"DataParallel", b"init_process_group"),),
    _in("ordering.pf107_dataparallel_in_distributed_process"),
)
PF108 = Rule(
    "PF108",
    "optimizer-before-sharding",
    "the optimizer is built before FSDP replaces the parameters",
    Severity.ERROR,
    ((b"fully_shard", b"ptim"), (b"FullyShardedDataParallel", b"ptim")),
    _in("distributed.pf108_optimizer_before_sharding"),
)
PF111 = Rule(
    "PF111",
    "gpu-of-process-not-selected",
    "every process of a distributed run uses the first GPU",
    Severity.ERROR,
    ((b"DataParallel", b"DistributedDataParallel", b"init_process_group", b"nccl"),),
    _in("distributed.pf111_gpu_of_process_not_selected"),
)
PF112 = Rule(
    "PF112",
    "module-not-placed",
    "a module that is never placed is called with tensors of a device",
    Severity.ERROR,
    _placed_with(),
    _in("ordering.pf112_module_not_placed"), patterns=text.PLACES_SOMETHING, followed=(),
)  # fmt: skip
PF113 = Rule(
    "PF113",
    "wrapper-attribute",
    "an attribute of a module is read of the wrapper around it",
    Severity.ERROR,
    ((b"DataParallel",),),
    _in("ordering.pf113_wrapper_attribute"),
)
PF201 = Rule(
    "PF201",
    "optimizer-before-placement",
    "the optimizer is built before its module is placed",
    Severity.STYLE,
    _placed_with(b"ptim"),
    _in("ordering.pf201_optimizer_before_placement"), patterns=text.PLACES_SOMETHING, followed=(b"ptim",),
)  # fmt: skip
PF203 = Rule(
    "PF203",
    "optimizer-state-before-placement",
    "optimizer state is loaded before the module is placed",
    Severity.ERROR,
    _placed_with(b"parameters("),
    _in("ordering.pf203_optimizer_state_before_placement"), patterns=text.PLACES_SOMETHING, followed=(b"parameters(",),
)  # fmt: skip
PF205 = Rule(
    "PF205",
    "non-leaf-parameter",
    "a Parameter is moved after it was made",
    Severity.ERROR,
    ((b".to(", b"torch", b"Parameter"), (b".cuda(", b"torch", b"Parameter")),
    _in("ordering.pf205_non_leaf_parameter"),
    patterns=(text.MOVES_PARAMETER,),
)
PF208 = Rule(
    "PF208",
    "accumulator-before-placement",
    "the node that accumulates a gradient is read before its module is placed",
    Severity.WARNING,
    ((b".next_functions", b".to("), (b".next_functions", b".cuda(")),
    _in("ordering.pf208_accumulator_before_placement"),
)
PF301 = Rule(
    "PF301",
    "batch-not-placed",
    "a batch reaches a placed module unmoved",
    Severity.ERROR,
    ((b".to(",), (b".cuda(",), *((word, b"oader") for word in (b"device=", b"device =", b"device)", b", device,"))),
    _in("tensors.pf301_batch_not_placed"), patterns=text.PLACES_SOMETHING, followed=(),
)  # fmt: skip
PF302 = Rule(
    "PF302",
    "tensor-not-placed",
    "a tensor made on the CPU meets a placed module",
    Severity.ERROR,
    tuple(
        (word, place)
        for word in (b"torch", b"return_tensors")
        for place in (b".to(", b".cuda(", b"device=", b"device =", b".device", b"device)", b", device,")
    ),
    _in("tensors.pf302_tensor_not_placed"),
    patterns=(
        (*text.PLACES_SOMETHING[1], text.TAKES_DEVICE, text.READS_DEVICE),
        (*text.PLACES_SOMETHING[1], text.MAKES_ON_HOST_WITH_TORCH),
        (*text.HAS_OWN_TENSOR, text.KEEPS_MOVED),
    ),
    followed=(),
)
PF303 = Rule(
    "PF303",
    "discarded-move",
    "the result of a tensor's move is thrown away",
    Severity.ERROR,
    ((b".to(",), (b".cuda(",), (b".cpu(",)),
    _in("tensors.pf303_discarded_move"),
    patterns=text.PLACES_SOMETHING,
)
PF304 = Rule(
    "PF304",
    "tensor-created-in-forward",
    "a module makes a tensor on the CPU and uses it with its input",
    Severity.ERROR,
    ((b"torch", b"def forward"), (b"torch", b"Module)")),
    _in("tensors.pf304_tensor_created_in_forward"),
    patterns=text.STRAYS,
    scan="creates",
)
PF305 = Rule(
    "PF305",
    "tensor-attribute-not-buffer",
    "a module keeps a tensor that does not move with it",
    Severity.ERROR,
    ((b"torch", b"def forward", b"def __init__"),),
    _in("tensors.pf305_tensor_attribute_not_buffer"),
    patterns=(*text.STRAYS_OR_COPIES, text.KEEPS),
    scan="keeps",
)
PF306 = Rule(
    "PF306",
    "modules-in-plain-container",
    "a module keeps modules where it does not see them",
    Severity.ERROR,
    ((b"def __init__", b"self"),),
    _in("tensors.pf306_modules_in_plain_container"),
    scan="keeps_container",
)
PF307 = Rule(
    "PF307",
    "loss-weight-not-placed",
    "the weights of a criterion stay on the CPU",
    Severity.ERROR,
    _placed_with(b"Loss("),
    _in("tensors.pf307_loss_weight_not_placed"), patterns=text.PLACES_SOMETHING, followed=(),
)  # fmt: skip
PF308 = Rule(
    "PF308",
    "hidden-state-not-placed",
    "a recurrent layer gets a hidden state of the CPU",
    Severity.ERROR,
    (
        *((b"torch", b"def forward", layer) for layer in (b"RNN", b"LSTM", b"GRU")),
        *((b"torch", b"def forward", layer) for layer in (b"self.rnn(", b"self.lstm(", b"self.gru(")),
    ),
    _in("tensors.pf308_hidden_state_not_placed"),
    patterns=text.STRAYS,
    scan="creates",
)
PF309 = Rule(
    "PF309",
    "lengths-on-device",
    "pack_padded_sequence gets its lengths on a device",
    Severity.ERROR,
    ((b"torch", b"pack_padded_sequence"),),
    _in("tensors.pf309_lengths_on_device"), patterns=text.PLACES_SOMETHING, followed=(b"pack_padded_sequence",),
)  # fmt: skip
PF310 = Rule(
    "PF310",
    "numpy-on-device",
    "numpy reads a tensor of a device",
    Severity.ERROR,
    ((b"numpy", b".numpy()"), (b"numpy", b".append("), (b"array(",)),
    _in("tensors.pf310_numpy_on_device"),
    patterns=((*text.PLACES, *text.MOVES), (text.NUMPY_READS_BARE, *text.PLACES_SOMETHING[1])),
    followed=(b".numpy()",),
)
PF312 = Rule(
    "PF312",
    "cuda-in-worker",
    "the workers of a loader use CUDA, which forked processes cannot",
    Severity.WARNING,
    ((b"DataLoader", b"num_workers"),),
    _in("tensors.pf312_cuda_in_worker"), patterns=text.PLACES_SOMETHING, followed=(b"DataLoader", b"num_workers"),
)  # fmt: skip
PF313 = Rule(
    "PF313",
    "pinned-device-batch",
    "a loader pins batches that are on a GPU",
    Severity.ERROR,
    ((b"DataLoader", b"pin_memory"),),
    _in("tensors.pf313_pinned_device_batch"), patterns=text.PLACES_SOMETHING, followed=(b"DataLoader", b"pin_memory"),
)  # fmt: skip
PF314 = Rule(
    "PF314",
    "unfinished-copy",
    "a copy to the CPU is read before it has finished",
    Severity.WARNING,
    ((b"non_blocking", b".to("), (b"non_blocking", b".copy_("), (b".copy_(", b"pin_memory")),
    _in("tensors.pf314_unfinished_copy"),
)
PF315 = Rule(
    "PF315",
    "generator-on-other-device",
    "a generator of random numbers draws on another device than its own",
    Severity.ERROR,
    ((b"torch", b"Generator(", b"generator="),),
    _in("tensors.pf315_generator_on_other_device"), patterns=text.PLACES_SOMETHING, followed=(b"Generator(", b"generator="),
)  # fmt: skip
PF316 = Rule(
    "PF316",
    "layer-made-in-forward",
    "a module makes a layer with parameters at each call",
    Severity.ERROR,
    ((b"def forward", b"Module", b"nn."),),
    _in("tensors.pf316_layer_made_in_forward"),
    scan="makes_layers",
)
PF317 = Rule(
    "PF317",
    "float64-on-mps",
    "a tensor or module of float64 is placed on MPS",
    Severity.ERROR,
    ((b"torch", b'"mps'), (b"torch", b"'mps"), (b"torch.accelerator",)),
    _in("tensors.pf317_float64_on_mps"),
    patterns=(("float64", "double", "DoubleTensor", "numpy"),),
)
PF318 = Rule(
    "PF318",
    "device-in-trace",
    "torch.jit.trace keeps the device of its example for the tensors of forward",
    Severity.WARNING,
    ((b"jit", b"trace", b"device="), (b"jit", b"trace", b"device =")),
    _in("tensors.pf318_device_in_trace"),
)
PF400 = Rule(
    "PF400",
    "legacy-async-keyword",
    "an argument is named async, which is a keyword",
    Severity.ERROR,
    ((b"async", b".cuda"), (b"async", b".to"), (b"async", b".copy_"), (b"async", b".type")),
    _in("cuda.pf400_legacy_async_keyword"),
    patterns=(r"\basync\s*=(?!=)",),
    recover_syntax=_in("cuda.pf400_legacy_async_keyword", "recover_syntax"),
)
PF401 = Rule(
    "PF401",
    "hardcoded-cuda-call",
    ".cuda() is called without asking whether there is CUDA",
    Severity.WARNING,
    ((b".cuda(",), (b"torch", b".xpu("), (b"torch", b".npu("), (b"torch", b".hpu(")),
    _in("cuda.pf401_hardcoded_cuda_call"),
    patterns=((text.SAYS_CUDA, text.MOVES_TO_OTHER),),
)
PF402 = Rule(
    "PF402",
    "hardcoded-cuda-string",
    '"cuda" is named as the device without asking whether there is CUDA',
    Severity.WARNING,
    (
        *((package, word) for package in (b"torch", b"transformers") for word in (b'"cuda', b"'cuda")),
        (b"torch", b".get_device()"),
        (b"torch", b".to("),
        *((b"torch", name) for name in text.NAMES_OTHER),
    ),
    _in("cuda.pf402_hardcoded_cuda_string"),
    patterns=(
        (text.SAYS_CUDA, r"\.get_device\(\)", r"cuda:(?:[1-9]\d*[\"']|[\"'{%])", text.MOVES_TO_NUMBER, text.SAYS_OTHER),
    ),
)
PF403 = Rule(
    "PF403",
    "guarded-cuda",
    "a CUDA test guards a placement that a device would decide",
    Severity.STYLE,
    ((b".cuda(",), (b"torch", b'to("cuda'), (b"torch", b"to('cuda"), (b"cuda", b"to(torch.device(")),
    _in("cuda.pf403_guarded_cuda"),
    patterns=(text.SAYS_CUDA,),
)
PF404 = Rule(
    "PF404",
    "cuda-amp-namespace",
    "torch.cuda.amp is the old name of torch.amp",
    Severity.STYLE,
    ((b"cuda.amp",), (b"torch.cuda import", b"amp"), (b"torch import cuda", b"cuda.amp")),
    _in("cuda.pf404_cuda_amp_namespace"),
)
PF405 = Rule(
    "PF405",
    "load-without-map-location",
    "a checkpoint is loaded to wherever it was saved from",
    Severity.WARNING,
    ((b"torch", b"load("),),
    _in("cuda.pf405_load_without_map_location"),
    patterns=((text.LOADS, text.IMPORTS_LOAD, text.RENAMES_TORCH),),
)
PF406 = Rule(
    "PF406",
    "cuda-only-function",
    "a function of torch.cuda is called that raises without CUDA",
    Severity.WARNING,
    (
        (b"torch", b"cuda."),
        (b"torch", b".pin_memory()"),
        (b"torch.cuda import",),
        *((module,) for module in (b"torch.mps.", b"torch.xpu.", b"torch.npu.", b"torch.hpu.")),
    ),
    _in("cuda.pf406_cuda_only_function"),
    patterns=((*text.CUDA_ONLY, text.CALLS_OTHER), (*text.CALLS_CUDA_ONLY, text.CALLS_OTHER)),
)
PF407 = Rule(
    "PF407",
    "cuda-tensor-type",
    "a tensor type says where a tensor lies",
    Severity.WARNING,
    ((b"torch", b"cuda.", b"Tensor"), (b"torch.cuda import", b"Tensor")),
    _in("cuda.pf407_cuda_tensor_type"),
    patterns=(text.TENSOR_TYPES,),
)
PF408 = Rule(
    "PF408",
    "variable-volatile",
    "volatile=True has no effect: gradients are recorded",
    Severity.STYLE,
    ((b"Variable", b"volatile"),),
    _in("cuda.pf408_variable_volatile"),
)
PF409 = Rule(
    "PF409",
    "late-visible-devices",
    "CUDA_VISIBLE_DEVICES is set after CUDA has read it",
    Severity.WARNING,
    ((b"CUDA_VISIBLE_DEVICES", b"torch"),),
    _in("cuda.pf409_late_visible_devices"),
    patterns=(text.SETS_VISIBLE_DEVICES,),
)
PF411 = Rule(
    "PF411",
    "wrapped-state-dict",
    "the state of a wrapper is saved, and loaded into a module without it",
    Severity.ERROR,
    ((b"DataParallel", b"load_state_dict(", b"torch", b"save("), (b"torch.compile", b"load_state_dict(", b"save(")),
    _in("distributed.pf411_wrapped_state_dict"),
)
PF412 = Rule(
    "PF412",
    "sampler-epoch",
    "a distributed sampler is missing or not told the epoch, or a loader shuffles beside a sampler",
    Severity.WARNING,
    (
        (b"DistributedSampler", b"DataLoader"),
        (b"Sampler", b"DataLoader", b"shuffle"),
        (b"DistributedDataParallel", b"DataLoader", b"init_process_group"),
    ),
    _in("distributed.pf412_sampler_epoch"),
)
PF414 = Rule(
    "PF414",
    "loss-per-gpu",
    "DataParallel returns a loss for each GPU, and backward is called on them",
    Severity.ERROR,
    ((b"DataParallel", b".backward("),),
    _in("distributed.pf414_loss_per_gpu"),
)
PF415 = Rule(
    "PF415",
    "collective-in-some-processes",
    "a collective is called by some processes, and the others never come",
    Severity.ERROR,
    (
        *((b"distributed", name) for name in text.COLLECTIVES),
        (b"DistributedDataParallel", b".backward("),
    ),
    _in("distributed.pf415_collective_in_some_processes"),
    patterns=(text.USES_DISTRIBUTED,),
)
PF416 = Rule(
    "PF416",
    "save-in-every-process",
    "every process of a distributed run saves to the same file",
    Severity.WARNING,
    ((b"init_process_group", b"torch", b"save("),),
    _in("distributed.pf416_save_in_every_process"),
)
PF501 = Rule(
    "PF501",
    "unplaced-script",
    "a script places nothing (only with --add-placement)",
    Severity.STYLE,
    ((b"torch", b".backward("),),
    _in("add_placement.pf501_unplaced_script"),
    opt_in=True,
    validate=_in("add_placement.pf501_unplaced_script", "validate"),
)

RULES: tuple[Rule, ...] = (
    PF400, PF101, PF102, PF103, PF104, PF105, PF106, PF107, PF108, PF111,
    PF112, PF113, PF201, PF203, PF205, PF208, PF303, PF301, PF302, PF307, PF309,
    PF310, PF304, PF308, PF305, PF306, PF312, PF313, PF314, PF315, PF316, PF317, PF318,
    PF403, PF401, PF402, PF404, PF405, PF407, PF406, PF408, PF409, PF411, PF412,
    PF414, PF415, PF416, PF501, PF001,
)  # fmt: skip
