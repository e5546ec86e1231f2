"""Tensors of the host that may meet others of a device, and moves that may be thrown away."""

from __future__ import annotations

from placefix.glance.creations import Creations
from placefix.glance.text import opened
from placefix.lazy import in_bytes
from placefix.spelling import MOVES_TO_NAMED

# A factory that gets another name, or is kept as a type; what makes tensors of the host without one.
_NAMES_FACTORY = (
    r"torch\.(?<=[=e] torch\.|.=torch\.)(?:tensor|zeros|ones|rand|randn|randint|arange|linspace|logspace|empty|full|eye|from_numpy"
    r"|as_tensor|randperm|normal|\w*Tensor)\b(?![ \t]*[(.\]|])"
)
_MAKES_OTHERWISE = r"ToTensor\s*\(|\.type\([^()]*Tensor"
_TOKENIZES = (b"return_tensors", b"Tokenizer", b"from_pretrained")
# Before a creation that nothing else gets hold of.
_TAKEN = r"(?:\bParameter\s*\(|\.copy_\(|\bregister_buffer\(\s*\w+\s*,)\s*(?:torch\.(?:tril|triu|diag|sqrt|exp|log|tanh|sigmoid)\s*\(\s*)*(?:\w+\.)?\Z|\b(?:np|numpy)\.\Z"
# Criteria of torch that are given more than numbers.
_WEIGHTED = r"Loss\s*\((?!\s*\)|(?:\s*(?:reduction|ignore_index|label_smoothing|size_average|reduce|margin|beta|delta|p|blank|zero_infinity|full|eps|log_input|log_target|swap)\s*=\s*[\w.+-]+\s*,?\s*)+\)|\s*(?:\w+\.)*Module\s*\))"
_MOVE = r"\.(?:to|cuda|cpu|xpu)\s*\("
_GROUP = r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}"
_BRACKET = r"[()\[\]{}]"
_CHAIN = r"[(\s]*(?!(?:return|yield|await|raise|assert|del|print|lambda|not|in|self\s*\Z)\b)[A-Za-z_]\w*(?:\s*\.\s*\w+|\s*\\\r?\n)*\s*\Z"
# The names in front of an equals sign, without the head of a block before them, and without an annotation.
_TARGET = r"(?:^|[;:,=])\s*([A-Za-z_]\w*)\s*(?=[,=:]|\Z)"
# A name among others in front of an equals sign, or bound by ``for`` or ``with``.
_UNPACKED = (
    r"(?:^|[;:])[ \t]*(?=[^=\n]*,)[\w.*()\[\], \t]*\bNAME\b[\w.*()\[\], \t]*=(?!=)|\bfor\b[^:\n]*\bNAME\b[^:\n]*\bin\b"
    r"|\bNAME\b[\w\s.,*]*\)\s*=(?!=)|\bas\s*\([^)]*\bNAME\b"
)
_GIVEN = r"[^(]*\((?:[^()]|\([^()]*\))*\bNAME\b"
_WRITTEN = r"(?:^|[;:])[ \t]*(NAME)\s*(?::[^=\n]*)?=(?!=)"
_ENDS = r"[ \t]*(?:[;,)\r]|$)"
_READS = (r"numpy(?<!\.cpu\(\)\.numpy)\s*\(", r"array\s*\((?!\s*[\[\d(])(?![^()]*\.cpu\(\)\s*[,)])")
_LOADERS = (r"DataLoader\s+(?:as\b|\()|DataLoader[ \t]*(?:$|[,)\]}])", r"\bfor\b[^:]*\bin\b[^:]*oader")
_OPTIMIZES = r"parameters\s*\(|modules\s*\(|children\s*\(|buffers\s*\(|\blr\s*=|optim"


class Meetings(Creations):
    """Answers for one text."""

    def makes_tensor(self) -> bool:
        """Whether a tensor of the host may be made that is not moved or taken as it is made, or another be moved and kept
        under a name, whose like was forgotten."""
        return self.may_show(
            lambda code: self._makes_otherwise(code) or self._makes_by_factory(code) or self._keeps_moved(code)
        )

    def _keeps_moved(self, code: bytes) -> bool:
        """Whether what is assigned to a name may be the result of a move that another name lacks (`fellows`)."""
        return any(self._has_fellow(code, m.start(), m.end()) for m in in_bytes(MOVES_TO_NAMED).finditer(code))

    def _has_fellow(self, code: bytes, at: int, end: int) -> bool:
        """Whether a move ends the value of a name that may be bound as another one is: both unpacked by one statement, given to
        the function and taken back, or made beside it in words that differ by their numbers."""
        start = self.statement(at)
        targets, equals, value = _without_brackets(code[start:at]).rpartition(b"=")
        value = value.rpartition(b",")[2]
        if (
            not equals
            or b"." in targets
            or not in_bytes(_ENDS).match(code, end)
            or (value.strip() and not in_bytes(_CHAIN).match(value))
        ):
            return False
        names = in_bytes(_TARGET).findall(targets)
        if len(names) != 1 or not names[0].isascii():
            return True
        moved = code[code.index(b"=", start) + 1 : at]
        near = 3 * len(moved) + 300
        if in_bytes(r"\d").search(moved) and any(
            _worded(moved) in _worded(text) for text in (code[max(0, start - near) : start], code[end : end + near])
        ):
            return True
        around = next((b for b in self.around(at) if not b.is_class), None)
        text = self.inside(around) if around is not None else code
        name = names[0].decode()
        if in_bytes(_UNPACKED.replace("NAME", name)).search(text):
            return True
        if around is None or not in_bytes(_GIVEN.replace("NAME", name)).match(code, around.named):
            return False
        if value.strip() != names[0]:
            return True
        begins = [m.start(1) + around.start for m in in_bytes(_WRITTEN.replace("NAME", name)).finditer(text)]
        return any(self.statement(at) != start and not opened(code[self.statement(at) : at]) for at in begins)

    def _makes_by_factory(self, code: bytes) -> bool:
        taken = in_bytes(_TAKEN)
        return self.creations is None or any(not taken.search(code[max(0, at - 80) : at]) for at in self.creations)

    @staticmethod
    def _makes_otherwise(code: bytes) -> bool:
        """Whether a tensor may come from a transform, a tokenizer, a change of type, or a factory under another name."""
        named = in_bytes(_MAKES_OTHERWISE).search(code) or in_bytes(_NAMES_FACTORY).search(code)
        return named is not None or all(word in code for word in _TOKENIZES)

    def weighs(self) -> bool:
        """Whether a criterion of torch may be made with a tensor, which stays where it is made."""
        return self.may_show(lambda code: in_bytes(_WEIGHTED).search(code) is not None)

    def reads_memory(self) -> bool:
        """Whether numpy may read a tensor that is not copied to the host right before, or a list that grows."""
        return self.may_show(lambda code: b".append(" in code or any(in_bytes(reads).search(code) for reads in _READS))

    def goes_over_batches(self) -> bool:
        """Whether there may be a loop over a loader: one by its name, or one that is made under another name than torch's."""
        return self.may_show(lambda code: any(in_bytes(loader).search(code) for loader in _LOADERS))

    def optimizes(self) -> bool:
        """Whether an optimizer may be built: of torch, or of what gives parameters."""
        return self.may_show(lambda code: in_bytes(_OPTIMIZES).search(code) is not None)

    # --- moves that are thrown away ---------------------------------------------------------------

    def discards(self) -> bool:
        """Whether the result of a move may be thrown away: a statement begins with the chain of names or calls that is moved."""
        code = self.code
        if code is None:
            return True
        return any(self._begins_statement(m.start()) for m in in_bytes(_MOVE).finditer(code)) and not self.framework

    def _begins_statement(self, at: int) -> bool:
        """Whether a statement is nothing else than a chain of names and calls up to a place."""
        code = self.code or b""
        line = code.rfind(b"\n", 0, at) + 1
        head = _flat(code[line:at])
        begins = in_bytes(_CHAIN).match(head) is not None
        if not begins and head.strip() and not in_bytes(_BRACKET).search(head):
            return False
        start = self.statement(at)
        return begins if start == line else in_bytes(_CHAIN).match(_flat(code[start:at])) is not None


def _without_brackets(code: bytes) -> bytes:
    count = 1
    while count:
        code, count = in_bytes(_GROUP).subn(b"", code)
    return code


def _flat(head: bytes) -> bytes:
    """What begins a statement, without what stands in brackets and the head of a block before it."""
    head = _without_brackets(head)
    return head[max(head.rfind(b":"), head.rfind(b";")) + 1 :]


def _worded(code: bytes) -> bytes:
    """Code without its numbers, and without what may be written in one way or another."""
    return in_bytes(r"[\d\s(),]+").sub(b"", code)
