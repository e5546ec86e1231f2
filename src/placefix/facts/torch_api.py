"""Facts about names of torch: data, not code.

Names are fully qualified and canonical (see `canonical`). The facts are from torch's documentation or
were measured on torch.
"""

from __future__ import annotations

import re
from functools import lru_cache

from placefix.torch_model import libraries
from placefix.torch_model.modules import is_eager

# The tables below are kept one entry a line.
# fmt: off

# The same few thousand names are looked up again and again.
_remembered = lru_cache(maxsize=8192)

DATA_PARALLEL = "torch.nn.DataParallel"
DDP = "torch.nn.parallel.DistributedDataParallel"
FSDP = "torch.distributed.fsdp.FullyShardedDataParallel"
WRAPPERS = frozenset({DATA_PARALLEL, DDP, FSDP})
# They replace the parameters of the module that they are given.
SHARDS = frozenset(("torch.distributed.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard"))

COMPILE = "torch.compile"
# Calls that return the module they are given, or an object that shares its parameters.
MODULE_TRANSFORMS = frozenset(
    {
        COMPILE,
        "torch.jit.script",
        "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
        "torch.nn.utils.weight_norm",
        "torch.nn.utils.spectral_norm",
    }
)

# A literal start that every name has which the pattern fits, the pattern, and the replacement.
_CANONICAL = (
    ("torch.nn.modules.", re.compile(r"^torch\.nn\.modules\.\w+\.(?=[A-Z])"), "torch.nn."),
    ("torch.nn.modules.", re.compile(r"^torch\.nn\.modules\.(?=[A-Z])"), "torch.nn."),
    ("torch.nn.parallel.", re.compile(r"^torch\.nn\.parallel(\.data_parallel)?\.DataParallel$"), DATA_PARALLEL),
    ("torch.nn.parallel.distributed.", re.compile(r"^torch\.nn\.parallel\.distributed\.DistributedDataParallel$"), DDP),
    ("torch.optim.", re.compile(r"^torch\.optim\.(?!lr_scheduler|swa_utils)[a-z]\w*\.(?=[A-Z])"), "torch.optim."),
    ("torch.autograd.variable.", re.compile(r"^torch\.autograd\.variable\.Variable$"), "torch.autograd.Variable"),
    ("torch.utils.data.", re.compile(r"^torch\.utils\.data\.(dataloader|dataset|sampler|distributed)\.(?=\w)"), "torch.utils.data."),
    ("torch.cuda.amp.", re.compile(r"^torch\.cuda\.amp\.(autocast_mode|grad_scaler)\.(?=\w)"), "torch.cuda.amp."),
    ("torch.distributed.fsdp.fully_sharded_data_parallel.", re.compile(r"^torch\.distributed\.fsdp\.fully_sharded_data_parallel\."), "torch.distributed.fsdp."),
)


@_remembered
def canonical(name: str) -> str:
    """One name per object: torch re-exports the same class under several dotted names."""
    if name.startswith("torch."):
        for prefix, long, short in _CANONICAL:
            if name.startswith(prefix):
                found, count = long.subn(short, name)
                if count:
                    return found
    return name


# --- imports ----------------------------------------------------------------------

# The names under which everybody imports things, for code that is pasted without its imports.
CUSTOMARY_IMPORTS = {
    "torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim", "dist": "torch.distributed",
    "mp": "torch.multiprocessing", "cudnn": "torch.backends.cudnn", "Variable": "torch.autograd.Variable",
    "autocast": "torch.cuda.amp.autocast", "GradScaler": "torch.cuda.amp.GradScaler",
    "DataParallel": "torch.nn.DataParallel", "DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
    "DDP": "torch.nn.parallel.DistributedDataParallel", "Dataset": "torch.utils.data.Dataset",
    "DataLoader": "torch.utils.data.DataLoader", "TensorDataset": "torch.utils.data.TensorDataset",
    "torchvision": "torchvision", "transforms": "torchvision.transforms", "datasets": "torchvision.datasets",
    "models": "torchvision.models", "torchaudio": "torchaudio", "torchmetrics": "torchmetrics", "np": "numpy", "tqdm": "tqdm.tqdm",
}  # fmt: skip

# The same of the layers of a module whose constructor is not in the text.
CUSTOMARY_LAYERS = {
    "lstm": "torch.nn.LSTM", "gru": "torch.nn.GRU", "rnn": "torch.nn.RNN", "fc": "torch.nn.Linear", "embedding": "torch.nn.Embedding",
}  # fmt: skip

# --- constructors -----------------------------------------------------------------

# Each name is looked up in most files, each pattern compiled in a run that uses it: a literal start comes first.


def _is_class_in(name: str, package: str) -> bool:
    """Whether `name` is a capitalised name of the package (written with its dot) itself."""
    last = name[len(package) :]
    return name.startswith(package) and "A" <= last[:1] <= "Z" and last.isidentifier()


_NOT_MODULES = frozenset({"torch.nn.Parameter", "torch.nn.UninitializedParameter", "torch.nn.Buffer"})


@_remembered
def is_module_constructor(name: str) -> bool:
    """Whether calling `name` yields a torch.nn.Module."""
    if _is_class_in(name, "torch.nn."):
        return name not in _NOT_MODULES
    return libraries.result_of(name) == "module"


def is_module_base(name: str) -> bool:
    """Whether `name` is a class of modules to derive from; some of torch.nn are private: ``torch.nn.modules.loss._Loss``."""
    return is_module_constructor(canonical(name.replace("._", ".")) if name.startswith("torch.nn.") else name)


def is_loss(name: str) -> bool:
    """Whether `name` is a criterion of torch.nn (called with output and target)."""
    return name.startswith("torch.nn.") and name.endswith("Loss")


# Layers that have parameters, by their names in a script.
PARAMETRIC = re.compile(
    r"\b(Linear|Bilinear|(Lazy)?Conv\w*|\w*Norm(\dd)?|Embedding(Bag)?|LSTM(Cell)?|GRU(Cell)?|RNN(Cell)?|PReLU"
    r"|MultiheadAttention|Transformer\w*|Parameter)\s*\("
)
PACK = frozenset({"torch.nn.utils.rnn.pack_padded_sequence"})
# Arguments of loaders that place the model, or keep parts of it elsewhere.
LOADED_PLACED = frozenset(("device_map", "load_in_8bit", "load_in_4bit", "quantization_config"))
MODULE_BASES = frozenset(
    {"torch.nn.Module", "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.jit.ScriptModule"}
)

ZERO = "torch.distributed.optim.ZeroRedundancyOptimizer"
OPTIMIZER = "torch.optim.Optimizer"  # one of torch's own that make no state when they are built
DYNAMIC = "torch.optim.Dynamic"  # one that is picked by a name


@_remembered
def is_optimizer(name: str) -> bool:
    """Whether calling `name` yields an optimizer over its first argument."""
    return _is_class_in(name, "torch.optim.") or name == ZERO or is_third_party_optimizer(name)


def either_optimizer(one: str, other: str) -> str:
    """A class of optimizers that promises no more than both: torch's base class where neither makes state when it is
    built, "torch.optim.Dynamic" (any of them) else."""
    if one == other:
        return one
    late = all(name.startswith("torch.optim.") and name != DYNAMIC and not is_eager(name) for name in (one, other))
    return OPTIMIZER if late else DYNAMIC


def is_third_party_optimizer(name: str) -> bool:
    """Whether calling `name` yields an optimizer of another package than torch."""
    return libraries.result_of(name) == "optimizer"


@_remembered
def is_scheduler(name: str) -> bool:
    """Whether calling `name` yields a learning-rate scheduler over its first argument."""
    of_torch = name.startswith(("torch.optim.lr_scheduler.", "torch.optim.swa_utils.SWALR"))
    return of_torch or libraries.result_of(name) == "scheduler"


DATASET_BASES = frozenset({"torch.utils.data.Dataset", "torch.utils.data.IterableDataset"})
DATASET_VIEWS = frozenset({"torch.utils.data.Subset", "torch.utils.data.ConcatDataset", "torch.utils.data.random_split"})
TENSOR_DATASET = "torch.utils.data.TensorDataset"


def is_loader(name: str) -> bool:
    """Whether calling `name` yields a DataLoader: torch's, or one of graphs."""
    return name == "torch.utils.data.DataLoader" or is_graph_loader(name)


def is_graph_loader(name: str) -> bool:
    """Whether calling `name` yields a loader with batches of graphs."""
    return libraries.result_of(name) == "graphs"


def is_image_classification_dataset(name: str) -> bool:
    """Whether calling `name` yields a data set whose items are an image and the index of a class."""
    return libraries.result_of(name) == "images"


# The types of tensors of before 0.4, in torch and in torch.cuda, and their element types.
TENSOR_TYPES = {
    "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16", "ByteTensor": "uint8",
    "CharTensor": "int8", "ShortTensor": "int16", "IntTensor": "int32", "LongTensor": "int64", "BoolTensor": "bool",
}  # fmt: skip
VARIABLE = "torch.autograd.Variable"
# ``checkpoint(f, x)`` calls f(x); its own options are given by keyword.
CHECKPOINT = frozenset({"torch.utils.checkpoint.checkpoint"})
CHECKPOINT_OPTIONS = frozenset({"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop"})
# They run their first argument, a module or function, with the inputs that they are given: by position 1, or by this keyword.
RUNS_WITH_INPUTS = {"torch.onnx.export": "args", "torch.jit.trace": "example_inputs", "torch.export.export": "args"}
# Attributes of torch that are dtypes or memory formats.
DTYPES = frozenset(
    ["float", "double", "half", "bfloat16", "int", "long", "short", "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32",
     "float64", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2", "channels_last", "channels_last_3d", "contiguous_format",
     "preserve_format"]
)





# --- methods ----------------------------------------------------------------------

# Module methods that return the module itself.
RETURNS_SELF = frozenset(
    ["to", "cuda", "cpu", "xpu", "ipu", "half", "float", "double", "bfloat16", "type", "train", "eval", "requires_grad_", "apply", "share_memory"]
)
PLACING = frozenset({"to", "cuda", "cpu", "xpu"})
# They switch a module between training and evaluation.
MODES = frozenset(("train", "eval"))
# They read the module or flip a mode; a placement or an optimizer may cross them.
MODULE_NEUTRAL = frozenset(
    ["parameters", "named_parameters", "state_dict", "modules", "named_modules", "children", "named_children", "buffers", "named_buffers", "train", "eval", "zero_grad", "extra_repr", "get_submodule", "get_parameter", "load_state_dict"]
)
# They change which parameters there are, or their flags and types.
MODULE_PARAMS = frozenset(
    ["requires_grad_", "register_parameter", "register_buffer", "add_module", "register_module", "half", "float", "double", "bfloat16", "type", "share_memory", "register_forward_hook", "register_full_backward_hook", "register_backward_hook"]
)
# They add a function that may replace the inputs or the output of each call.
FORWARD_HOOKS = frozenset(("register_forward_pre_hook", "register_forward_hook"))
# Attributes of modules that are plain numbers or settings.
MODULE_NUMBERS = frozenset(
    ["in_features", "out_features", "in_channels", "out_channels", "hidden_size", "input_size", "num_layers", "num_features", "num_classes", "embedding_dim", "num_embeddings", "config", "cfg", "name", "training", "shape", "dtype", "device"]
)
# Only a module has these, so an object with one of these calls is one (backward evidence).
MODULE_EVIDENCE = frozenset(
    ["parameters", "named_parameters", "modules", "named_modules", "named_children", "load_state_dict"]
)

# Their `add_…` methods copy tensors from any device.
WRITERS = frozenset(("torch.utils.tensorboard.SummaryWriter", "torch.utils.tensorboard.writer.SummaryWriter", "tensorboardX.SummaryWriter"))


# --- distributions -----------------------------------------------------------------

DIVERGENCES = frozenset(("torch.distributions.kl_divergence", "torch.distributions.kl.kl_divergence"))




# --- resources ----------------------------------------------------------------

# Their result depends on the tensors on the device at that time.
ASKS_MEMORY = frozenset(
    "torch.cuda." + n
    for n in ["memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "memory_cached", "memory_stats", "memory_summary", "mem_get_info", "reset_peak_memory_stats", "reset_max_memory_allocated"]
)
CUDA_CONTEXT_CALLS = frozenset(
    {"torch.cuda.set_device", "torch.set_default_device", "torch.accelerator.set_device_index", "torch.accelerator.set_device_idx",
     "torch.set_default_tensor_type"}
)
_COLLECTIVE = re.compile(
    r"^torch\.distributed\.(init_process_group|destroy_process_group|barrier|broadcast\w*|all_\w+|reduce\w*|gather\w*|scatter\w*|new_group"
    r"|monitored_barrier|send|recv|isend|irecv)$"
)
FORK_CALLS = frozenset(
    package + "multiprocessing." + n for package in ("", "torch.") for n in ("spawn", "Process", "Pool", "start_processes")
)
EXIT_CALLS = frozenset({"sys.exit", "os._exit", "exit", "quit", "os.abort", "os.execv"})


def is_collective(name: str) -> bool:
    """Calls that every rank must make in the same order."""
    return name.startswith("torch.distributed.") and bool(_COLLECTIVE.match(name))


# Callables that neither keep nor change the module they are given.
PURE_OF_MODULES = frozenset(
    ["print", "len", "str", "repr", "type", "id", "isinstance", "hasattr", "getattr", "sum", "list", "tuple", "dict", "set", "iter", "next", "filter", "map", "enumerate", "zip", "sorted", "reversed", "callable", "vars", "bool", "int", "float", "min", "max", "any", "all", "format", "super"]
) | frozenset(
    {
        "itertools.chain",
        "itertools.chain.from_iterable",
        "logging.info",
        "logging.debug",
        "logging.warning",
        "copy.deepcopy",
        "copy.copy",
        "torch.save",
        "torch.numel",
        "torch.nn.utils.clip_grad_norm_",
        "torch.nn.utils.clip_grad_value_",
    }
)

# Frameworks that place things themselves.
FRAMEWORKS: dict[str, str] = {
    "accelerate": "accelerate",
    "pytorch_lightning": "Lightning",
    "lightning": "Lightning",
    "lightning_fabric": "Lightning Fabric",
    "deepspeed": "DeepSpeed",
    "fastai": "fastai",
    "ignite": "ignite",
    "horovod": "Horovod",
    "torch_xla": "torch_xla",
    "catalyst": "Catalyst",
    "skorch": "skorch",
    "colossalai": "ColossalAI",
    "megatron": "Megatron",
    "fairscale": "FairScale",
    "poptorch": "PopTorch",
}
# The names that their devices mostly have. Trainer: of transformers and trl.
FRAMEWORK_DEVICES: dict[str, str] = {
    "accelerate": "accelerator.device",
    "Lightning": "self.device",
    "Lightning Fabric": "fabric.device",
    "DeepSpeed": "engine.device",
    "Trainer": "self.args.device",
}
LIGHTNING = frozenset({"pytorch_lightning", "lightning"})
# Methods of a LightningModule that run before Lightning places it.
BEFORE_PLACEMENT = frozenset({"__init__", "prepare_data", "configure_model", "setup", "__new__", "__post_init__"})
# Receivers of these packages have a .cuda() of their own that is no torch placement.
FOREIGN_CUDA = frozenset({"numba", "cupy", "pycuda", "cudf", "cuml", "mxnet", "paddle", "tvm", "oneflow", "jittor"})
# Packages whose classes have a .cuda() and no .to() (graphs), and may be a buffer of any of their modules.
WITHOUT_TO = frozenset({"torchdrug"})


# Functions of torch.cuda that raise without CUDA: those called for their effect, and those called for their result.
CUDA_PROCEDURES = frozenset(
    {"synchronize", "set_device", "ipc_collect", "reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached"}
)
CUDA_QUESTIONS = frozenset(
    {"current_device", "get_device_name", "get_device_properties", "get_device_capability", "memory_summary", "mem_get_info",
     "initial_seed", "get_rng_state", "memory_snapshot", "Event", "Stream", "current_stream", "default_stream", "CUDAGraph"}
)  # fmt: skip
# The counterparts in torch.accelerator, and the torch that has them first.
ACCELERATOR_SINCE = {
    "synchronize": ("synchronize", (2, 7)),
    "set_device": ("set_device_index", (2, 7)),
    "reset_peak_memory_stats": ("reset_peak_memory_stats", (2, 9)),
}

AVAILABILITY = frozenset({"torch.cuda.is_available", "torch.accelerator.is_available"})
# Queries of torch.cuda that code without CUDA makes, too.
ASKING = AVAILABILITY | {"torch.cuda.device_count", "torch.cuda.is_initialized"}

# Decorators that change neither the arguments nor the result of a function.
TRANSPARENT_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "abc.abstractmethod", "typing.overload", "typing.override", "typing.final",
     "typing_extensions.override", "functools.wraps", "functools.lru_cache", "functools.cache", "functools.cached_property",
     "contextlib.contextmanager",
     "torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.set_grad_enabled", "torch.autograd.no_grad",
     "torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.compile", "torch.compiler.disable",
     "torch.jit.script", "torch.jit.script_method", "torch.jit.export", "torch.jit.ignore", "torch.jit.unused",
     "torch.distributed.elastic.multiprocessing.errors.record"}
)  # fmt: skip

# Functions of torch.distributed that exchange tensors.
COLLECTIVES = frozenset(
    ("broadcast", "all_reduce", "reduce", "all_gather", "all_gather_into_tensor", "gather", "scatter", "reduce_scatter",
     "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "send", "recv", "isend", "irecv")
)  # fmt: skip
