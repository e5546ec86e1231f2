"""Tensors of the host that may meet others of a device, and moves that may be thrown away."""

from __future__ import annotations

from placefix.glance.creations import Creations
from placefix.lazy import in_bytes

# A factory that gets another name, or is kept as a type; what makes tensors of the host without one.
_NAMES_FACTORY = (
    r"torch\.(?<=[=e] torch\.|.=torch\.)(?:tensor|zeros|ones|rand|randn|randint|arange|linspace|logspace|empty|full|eye|from_numpy"
    r"|as_tensor|randperm|normal|\w*Tensor)\b(?![ \t]*[(.\]|])"
)
_MAKES_OTHERWISE = r"ToTensor\s*\(|\.type\([^()]*Tensor"
_TOKENIZES = (b"return_tensors", b"Tokenizer", b"from_pretrained")
# Before a creation that nothing else gets hold of.
_TAKEN = (
    r"(?:\bParameter\s*\(|\.copy_\(|\bregister_buffer\(\s*\w+\s*,)\s*(?:torch\.(?:tril|triu|diag|sqrt|exp|log|tanh|sigmoid)\s*\(\s*)*(?:\w+\.)?\Z|\b(?:np|numpy)\.\Z"
)
# Criteria of torch that are given more than numbers.
_WEIGHTED = r"Loss\s*\((?!\s*\)|(?:\s*(?:reduction|ignore_index|label_smoothing|size_average|reduce|margin|beta|delta|p|blank|zero_infinity|full|eps|log_input|log_target|swap)\s*=\s*[\w.+-]+\s*,?\s*)+\)|\s*(?:\w+\.)*Module\s*\))"
_MOVE = r"\.(?:to|cuda|cpu|xpu)\s*\("
_GROUP = r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}"
_BRACKET = r"[()\[\]{}]"
_CHAIN = r"[(\s]*(?!(?:return|yield|await|raise|assert|del|print|lambda|not|in|self\s*\Z)\b)[A-Za-z_]\w*(?:\s*\.\s*\w+|\s*\\\r?\n)*\s*\Z"
_READS = (r"numpy(?<!\.cpu\(\)\.numpy)\s*\(", r"array\s*\((?!\s*[\[\d(])(?![^()]*\.cpu\(\)\s*[,)])")
_LOADERS = (r"DataLoader\s+(?:as\b|\()|DataLoader[ \t]*(?:$|[,)\]}])", r"\bfor\b[^:]*\bin\b[^:]*oader")
_OPTIMIZES = r"parameters\s*\(|modules\s*\(|children\s*\(|buffers\s*\(|\blr\s*=|optim"


class Meetings(Creations):
    """Answers for one text."""

    def makes_tensor(self) -> bool:
        """Whether a tensor of the host may be made that is not moved or taken as it is made."""
        return self.may_show(lambda code: self._makes_otherwise(code) or self._makes_by_factory(code))

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


def _flat(head: bytes) -> bytes:
    """What begins a statement, without what stands in brackets and the head of a block before it."""
    count = 1
    while count:
        head, count = in_bytes(_GROUP).subn(b"", head)
    return head[max(head.rfind(b":"), head.rfind(b";")) + 1 :]
