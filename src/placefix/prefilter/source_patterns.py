"""How code spells placement, as patterns of its text: shared by the rules' prefilter, which sees
bytes before anything is parsed, and by the analysis, which skips functions that place nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.byte_patterns import word

if TYPE_CHECKING:
    from collections.abc import Iterable

# Objects that carry a script's settings: their `.device` is a choice, other objects' is a fact.
SETTINGS_NAMES = (
    "self", "args", "opt", "opts", "cfg", "config", "conf", "hparams", "hps", "hp", "params", "flags", "FLAGS", "options", "settings",
    "CFG", "Cfg", "Config", "CONFIG",
)  # fmt: skip

# Not the device or dtype of another tensor, nor a dtype: such a move or argument chooses no device.
_A_CHOICE = (
    r"(?!\s*(?:torch\.(?:float|double|half|bfloat|int|long|short|bool|uint|complex)|dtype\b"
    rf"|(?!(?:{'|'.join(SETTINGS_NAMES)})\.)[\w.\[\]()]+\.(?:device|dtype)\b))"
)
# A helper that moves is given a device: ``to_device(batch, device)``, ``build(args.device)``.
_GIVEN = "|".join(rf"(?<={before}device[,)])" for before in ("[ (]", *(rf"\b{name}\." for name in SETTINGS_NAMES)))
# Something is placed, wrapped or made on a chosen device; a pattern that begins with a word is ten times faster.
PLACES = (
    rf"\.to\s*\({_A_CHOICE}", rf"device\s*=(?!=){_A_CHOICE}", r"\.cuda\s*\(", "DataParallel", r"\.xpu\s*\(", "DDP", "FSDP",
    rf"device[,)](?:{_GIVEN})",
)  # fmt: skip
# So does one of these behind a chain of names on a separate line; on the first line it is not seen.
MOVES = (r"\.to\s*\(", r"\.cpu\s*\(")
MOVED_ALONE = r"[ \t]*[\w.\[\]]+"
# Something is moved to a device that has a name, or to the current one.
MOVES_TO_NAMED = r"\.(?:to\s*\(\s*[\w.]*(?i:device)\s*,?\s*\)|cuda\s*\(\s*(?:non_blocking\s*=\s*\w+\s*)?\))"
# The value of a name, or an item of it, is moved so, and assigned: ``x = x.to(device)``, ``y = batch[1].to(device)``.
KEEPS_MOVED = rf"=\s*\w+(?:\[[^\]\n]*\])?{MOVES_TO_NAMED}"
# numpy reads something that is not copied right before.
NUMPY_READS_BARE = r"numpy(?<!\.cpu\(\)\.numpy)\s*\(\s*\)"
# Whether a file places anything.
PLACES_SOMETHING = ((*PLACES, *MOVES), (*PLACES, rf"\n{MOVED_ALONE}\.(?:to|cpu)\s*\("))
# A tensor is made on the device of another one, or moved there.
TAKES_DEVICE = r"(?:device\s*=|\.to\s*\()\s*[\w.]+\.device\b"
# The device of a tensor is bound to a name, perhaps as one of several values.
READS_DEVICE = r"\bdevice\b[^\n=]*=[^\n=]*\.device\b"
# A tensor is made: the factories of `torch_model` that programs use most.
_FACTORIES = (
    "tensor", "zeros", "ones", "rand", "randn", "randint", "arange", "linspace", "logspace", "empty", "full", "eye", "from_numpy", "as_tensor",
    "randperm", "normal", "hann_window", "hamming_window",
)  # fmt: skip
_FACTORY = rf"(?:{'|'.join(_FACTORIES)}|\w*Tensor)"
MAKES_TENSORS = rf"\b{_FACTORY}\s*\("
# Whether there is such a thing at all: one pattern for each is still several times faster, for each starts with a word.
MAKES_SOME_TENSOR = (r"Tensor\s*\(", *(rf"{word(name)}\s*\(" for name in _FACTORIES))
# The same, by its full name: a pattern that starts with a word is ten times faster.
MAKES_WITH_TORCH = rf"torch\s*\.\s*{_FACTORY}\s*\("
# Whether code makes a tensor: by a factory, or by a function or an object of a library (`torch_model/libraries.tsv`).
_OF_LIBRARIES = (
    "return_tensors",
    "read_image",
    "decode_image",
    "to_tensor",
    "to_image",
    "torchaudio",
    "torch_geometric",
    "MNIST",
)
HAS_OWN_TENSOR = (*MAKES_SOME_TENSOR, *_OF_LIBRARIES, r"\.clone\s*\(")  # a copy of a parameter
# .cuda() is called, or there is a "cuda" literal that is neither in a comparison, nor the body of a
# conditional, nor the device_type of autocast and similar functions.
SAYS_CUDA = (  # the rare part comes first: a look-behind at each character of a file would take long
    r"[.\"']cuda(?:(?<=\.cuda)\s*\(|(?<!\.cuda)(?<![=!]=.cuda)(?<![=!]= .cuda)(?<![(,]device_type=.cuda)"
    r"(?<!, device_type=.cuda)(?::\d+)?[\"'](?!\s*(?:[=!]=|if\b)))"
)
MOVES_TO_NUMBER = r"\.to\s*\(\s*(?:device\s*=\s*)?\d"
# The same of the other accelerators (`facts.accelerators`), without queries; and a call of their functions.
_OTHERS = "mps|xpu|npu|hpu"
SAYS_OTHER = (
    rf"""["'](?<![=!]=["'])(?<![=!]= ["'])(?<!device_type=["'])(?:{_OTHERS})(?::\d+)?["'](?!\s*(?:[=!]=|if\b))"""
)
MOVES_TO_OTHER = r"\.(?:xpu|npu|hpu)\s*\("
CALLS_OTHER = rf"torch\.(?:{_OTHERS})\.(?!is_available|device_count|manual_seed)\w+\s*\("
NAMES_OTHER = (b'"mps', b"'mps", b'"xpu', b"'xpu", b'"npu', b"'npu", b'"hpu', b"'hpu")
# The text between two parentheses, four deep, if no string or comment makes that uncertain. Repetitions are limited:
# the matcher keeps a state for each, which would fill the memory over a file of data.
_PLAIN = r"[^()\"'#]*"
_DEEPEST = rf"\({_PLAIN}\)"
_DEEPER = rf"\({_PLAIN}(?:{_DEEPEST}{_PLAIN}){{0,50}}\)"
_DEEP = rf"\({_PLAIN}(?:{_DEEPER}{_PLAIN}){{0,50}}\)"
_INSIDE = rf"{_PLAIN}(?:{_DEEP}{_PLAIN}){{0,50}}"
ARGUMENTS = rf"\({_INSIDE}\)"
# The same two, and not with a plain device= among the arguments.
_ON_HOST = rf"(?!{_INSIDE}\bdevice\s*=(?!=))"
MAKES_ON_HOST = MAKES_TENSORS + _ON_HOST
MAKES_ON_HOST_WITH_TORCH = MAKES_WITH_TORCH + _ON_HOST
RENAMES_TORCH = r"torch\s+as\s+(?!torch\b)"
IMPORTS_FACTORY = rf"from\s+torch\s+import\b(?:\s*\([^)]*|(?:[^\n\\]|\\\r?\n)*)\b{_FACTORY}\b"
RENAMES_FACTORY = rf"\b{_FACTORY}\s+as\s"
# Creations of tensors on the host that rules look for: torch.zeros(…); th.zeros(…) or zeros(…) if they may be torch's.
STRAYS = (
    (MAKES_ON_HOST_WITH_TORCH, RENAMES_TORCH, IMPORTS_FACTORY),
    (MAKES_ON_HOST_WITH_TORCH, RENAMES_TORCH, r"(?<![.\w])" + MAKES_ON_HOST),
    (MAKES_ON_HOST_WITH_TORCH, MAKES_ON_HOST),
)


def makes_on_host(modules: Iterable[str], factories: Iterable[str]) -> list[str]:
    """Patterns for a tensor that is made without device=, where torch and its factories also go by these names."""
    renamed = [rf"{word(name)}\s*\.\s*{_FACTORY}\s*\({_ON_HOST}" for name in modules]
    return [MAKES_ON_HOST_WITH_TORCH, *renamed, *(rf"{word(name)}\s*\({_ON_HOST}" for name in factories)]


# A tensor is made in a value assigned to an attribute of the object, or some lines above in a file that does so.
KEEPS = r"\bself\.\w+\s*=(?!=)"
# A tensor is made like a parameter, or copied from one.
COPIES_OWN = r"\w_like\(\s*self\.|\bself\.(?<!\wself\.)[\w.()]*\.clone\(\)"
STRAYS_OR_COPIES = tuple((*one, COPIES_OWN) for one in STRAYS)
# A parameter may be a list or dict of modules: by its annotation, by its type in a docstring, or as the rest of the arguments.
GIVES_MODULES = (
    r"[(,]\s*(?:\w+\s*:\s*[\w.]*(?:List|list|Sequence|Iterable|Collection|[Tt]uple|[Dd]ict|Mapping)\s*\[|\*\s*[A-Za-z])"
    r"|[\r\n]\s*\w+\s*\(`*(?:List|list|Sequence|Iterable|Collection|[Tt]uple|[Dd]ict|Mapping)\["
)
# A list or dict holds a new object of a class, or one is appended to a list.
_MADE = r"[\w.]*\b[A-Z]\w*\s*\("
HOLDS_MADE = (
    rf"=\s*\[\s*{_MADE}",
    rf"=\s*\{{\s*[\"'][^{{}}=]*:\s*{_MADE}",
    rf"\.append\s*\(\s*{_MADE}",
    rf"=\s*(?:list|tuple)\s*\(\s*{_MADE}",
    rf"\]\s*=\s*{_MADE}",
    r"\[\s*(?:copy\.)?deepcopy\s*\(",
)
# Methods that make or describe the module: nothing is computed there.
NOT_RUN = frozenset(
    [
        "__init__",
        "__repr__",
        "extra_repr",
        "reset_parameters",
        "init_weights",
        "_init_weights",
        "load_state_dict",
        "state_dict",
        "__getstate__",
        "__setstate__",
    ]
)
# A layer with parameters is made (torch_api.PARAMETRIC).
MAKES_LAYER = (
    r"nn\.(?:Linear|Bilinear|(?:Lazy)?Conv|\w*Norm|Embedding|LSTM|GRU|RNN|PReLU|MultiheadAttention|Transformer)\w*\s*\("
)
# Words in code that trains or runs models, loads data or is a script; they are found ten times faster than patterns.
TRAINS = ("DataParallel", ".parameters()", ".backward(", "DataLoader(", "__main__", ".load_state_dict(", ".eval()")
MOVES_AT_MODULE_LEVEL = r"\n(?!def\b|class\b|async\b)\w[^\n#]*\.(?:to|cuda)\("  # a script
LOOPS_OVER_DATA = r"in (?<!\win )(?:\w+\()*[\w.]*oader\b"
# Parameter(…).to( or .cuda(, or a text that needs a closer look: strings, comments, calls in calls in calls.
_IN_CALLS = r"[^()#\"']|\((?:[^()#\"']|\((?:[^()#\"']|\([^()#\"']*\))*\))*\)"
MOVES_PARAMETER = rf"{word('Parameter')}\s*\((?=((?:{_IN_CALLS})*))\1(?:[(#\"']|\)\s*\.(?:to|cuda)\s*\()"
# A load that has no map_location among its arguments; after a comment anything is possible.
LOADS = r"\.load(?:(?<=torch\.load)|(?<=jit\.load)|(?<=serialization\.load))\s*\((?!(?:[^()#]|\((?:[^()#]|\([^()#]*\))*\))*\bmap_location\s*=)"
IMPORTS_LOAD = (
    r"from torch(?:\.jit|\.serialization)? import\b(?:\s*\([^)]*|(?:[^\n\\]|\\\r?\n)*)\b(?:load|jit|serialization)\b"
)
# Names, or parts of names, of functions that raise without CUDA; and a call of them.
_CUDA_ONLY = (
    "synchronize",
    "set_device",
    "ipc_collect",
    "memory_summary",
    "mem_get_info",
    "current_device",
    "initial_seed",
    "get_rng_state",
    "cuda.Event",
    "cuda.Stream",
    "current_stream",
    "default_stream",
    "CUDAGraph",
)
CUDA_ONLY = (*_CUDA_ONLY, "_memory", "get_device_", "cuda.device")  # `_memory` is that of pin_memory too
CALLS_CUDA_ONLY = (  # several times faster than one pattern with a choice of them
    *(rf"{word(name)}\s*\(" for name in _CUDA_ONLY),
    rf"{word('reset_')}(?:peak|max|accumulated)_memory\w*\s*\(",
    rf"{word('get_device_')}(?:name|properties|capability)\s*\(",
    r"cuda\.device(?<!\wcuda\.device)\s*\(",
    r"\.pin_memory\s*\(\s*\)",
)
# The package torch.distributed, which licenses do not mean by the word, or its wrapper of modules.
USES_DISTRIBUTED = (
    r"\.distributed\b",
    rf"{word('dist')}\.",  # the name of a customary import, in a text without it
    r"from torch import\b(?:\s*\([^)]*|(?:[^\n\\]|\\\r?\n)*)\bdistributed\b",
    "DistributedDataParallel",
)
# Parts of the names of collectives.
COLLECTIVES = (b"barrier", b"reduce", b"gather", b"broadcast", b"scatter", b"all_to_all")
SETS_VISIBLE_DEVICES = r"CUDA_VISIBLE_DEVICES[\"']\s*\]\s*=(?!=)"
_TYPES = ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool")
TENSOR_TYPES = tuple(rf"{word(name + 'Tensor')}\b" for name in _TYPES)
