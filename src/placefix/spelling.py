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
# A move as a statement of its own.
MOVES_ALONE = r"[\n;:,][ \t]*\(?[A-Za-z_][^=\n#]*\.(?:to|cuda|cpu)\s*\("
# A tensor is made (torch_api.TENSOR_FACTORIES; imported bare names too).
MAKES_TENSORS = (
    r"\b(?:tensor|zeros|ones|rand|randn|randint|arange|linspace|logspace|empty|full|eye|from_numpy|as_tensor|randperm|normal"
    r"|\w*Tensor)\s*\("
)
# .cuda() is called, or a "cuda" literal stands elsewhere than in a comparison, as the body of a
# conditional or as the type of a device that autocast and its kin are told.
SAYS_CUDA = (  # what is rare comes first: looking back at each character of a file would take long
    r"[.\"']cuda(?:(?<=\.cuda)\s*\(|(?<!\.cuda)(?<![=!]=.cuda)(?<![=!]= .cuda)(?<![(,]device_type=.cuda)"
    r"(?<!, device_type=.cuda)(?::\d+)?[\"'](?!\s*(?:[=!]=|if\b)))"
)
# The same, and not with a plain device= among its arguments.
MAKES_ON_HOST = MAKES_TENSORS + r"(?![^()]*\bdevice\s*=)"
# A tensor is made in what is assigned to an attribute of the object, or some lines above in a file that does so.
KEEPS = r"\bself\.\w+\s*=(?!=)"
# What code has that trains or runs models, loads data or is a script.
TRAINS = r"DataParallel|\.parameters\(\)|\.backward\(|DataLoader\(|__main__"
