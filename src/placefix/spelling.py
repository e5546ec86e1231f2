"""How code spells placement, as patterns of its text: shared by the rules' prefilter, which sees
bytes before anything is parsed, and by the analysis, which skips functions that place nothing."""

from __future__ import annotations

# Objects that carry a script's settings: their `.device` is a choice, other objects' is a fact.
SETTINGS_NAMES = (
    "self", "args", "opt", "opts", "cfg", "config", "conf", "hparams", "hps", "hp", "params", "flags", "FLAGS", "options", "settings",
)  # fmt: skip

# Not the device or type of a tensor at hand, nor a type: such a move or argument decides nothing anew.
_A_CHOICE = (
    r"(?!\s*(?:torch\.(?:float|double|half|bfloat|int|long|short|bool|uint|complex)|dtype\b"
    rf"|(?!(?:{'|'.join(SETTINGS_NAMES)})\.)[\w.\[\]()]+\.(?:device|dtype)\b))"
)
# Something is placed, wrapped or made on a device of choice. A pattern that starts with one of few characters
# is several times faster; it follows that a statement in the first line, where nothing is known yet, is not seen.
PLACES = (
    rf"[.dDF\n](?:(?:(?<=\.)to\s*\(|(?<=d)evice\s*=(?!=)){_A_CHOICE}|(?<=\.)(?:cuda|xpu)\s*\("
    r"|(?<=D)(?:ataParallel|DP)|(?<=F)SDP|(?<=\n)[ \t]*[\w.\[\]]+\.(?:to|cpu)\s*\()"
)
# Whether there is such a thing at all: what starts with a word is found ten times faster, and mostly there.
_PLACES_PLAINLY = (rf"\.to\s*\({_A_CHOICE}", rf"device\s*=(?!=){_A_CHOICE}", r"\.cuda\s*\(", "DataParallel")
PLACES_SOMETHING = (
    (*_PLACES_PLAINLY, r"\.to\s*\(", r"\.cpu\s*\(", r"\.xpu\s*\(", "DDP", "FSDP"),
    (*_PLACES_PLAINLY, PLACES),
)
# A move as a statement of its own.
MOVES_ALONE = r"[\n;:,][ \t]*\(?[A-Za-z_][^=\n#]*\.(?:to|cuda|cpu)\s*\("
# A tensor is made (torch_api.TENSOR_FACTORIES).
_FACTORY = (
    r"(?:tensor|zeros|ones|rand|randn|randint|arange|linspace|logspace|empty|full|eye|from_numpy|as_tensor|randperm|normal"
    r"|\w*Tensor)"
)
MAKES_TENSORS = rf"\b{_FACTORY}\s*\("
# The same, by its full name: a pattern that starts with a word is ten times faster.
MAKES_WITH_TORCH = rf"torch\s*\.\s*{_FACTORY}\s*\("
# .cuda() is called, or a "cuda" literal stands elsewhere than in a comparison, as the body of a
# conditional or as the type of a device that autocast and its kin are told.
SAYS_CUDA = (  # what is rare comes first: looking back at each character of a file would take long
    r"[.\"']cuda(?:(?<=\.cuda)\s*\(|(?<!\.cuda)(?<![=!]=.cuda)(?<![=!]= .cuda)(?<![(,]device_type=.cuda)"
    r"(?<!, device_type=.cuda)(?::\d+)?[\"'](?!\s*(?:[=!]=|if\b)))"
)
# The same two, and not with a plain device= among the arguments.
_ON_HOST = r"(?![^()]*\bdevice\s*=)"
MAKES_ON_HOST = MAKES_TENSORS + _ON_HOST
MAKES_ON_HOST_WITH_TORCH = MAKES_WITH_TORCH + _ON_HOST
# Torch or what makes a tensor may go by a name of its own.
RENAMES = (r"torch\s+as\s+(?!torch\b)", rf"from\s+torch\s+import\b(?:\s*\([^)]*|(?:[^\n\\]|\\\r?\n)*)\b{_FACTORY}\b")
# What a rule about tensors of torch, made on the host, looks for.
STRAYS = ((MAKES_ON_HOST_WITH_TORCH, *RENAMES), (MAKES_ON_HOST_WITH_TORCH, MAKES_ON_HOST))
# A tensor is made in what is assigned to an attribute of the object, or some lines above in a file that does so.
KEEPS = r"\bself\.\w+\s*=(?!=)"
# What code has that trains or runs models, loads data or is a script.
TRAINS = r"DataParallel|\.parameters\(\)|\.backward\(|DataLoader\(|__main__"
