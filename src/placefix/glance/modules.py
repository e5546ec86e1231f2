"""Modules that are made where they may be called with tensors of a device, and that nothing moves."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from placefix.glance.text import WORD, Text
from placefix.lazy import in_bytes
from placefix.spelling import PARAMETRIC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.glance.text import Block

# Words that the names of torch's layers with parameters hold (`PARAMETRIC`).
_LAYERS = (
    b"Linear",
    b"linear",
    b"Conv",
    b"Norm",
    b"Embedding",
    b"LSTM",
    b"GRU",
    b"RNN",
    b"PReLU",
    b"MultiheadAttention",
    b"Transformer",
)
_LAYER = PARAMETRIC.removesuffix(r"\s*\(") + r"\Z"
# Packages whose functions make models.
_LIBRARIES = (
    r"\bcreate_model\b|\bsegmentation_models_pytorch\b|\btorch_geometric\b|\befficientnet_pytorch\b|torchvision[\w.]*[ \t.]models\b"
    r"|torchvision[ \t]+import[^\n]*\bmodels|(?<![.\w])transformers\b"
)
_LIBRARY_WORDS = (
    b"create_model",
    b"segmentation_models_pytorch",
    b"torch_geometric",
    b"efficientnet_pytorch",
    b"torchvision",
    b"transformers",
)
# Bases of classes that are no modules.
_PLAIN_BASES = frozenset(
    (
        b"object",
        b"ABC",
        b"abc",
        b"Dataset",
        b"IterableDataset",
        b"torch",
        b"utils",
        b"data",
        b"metaclass",
        b"ABCMeta",
        b"Generic",
        b"typing",
    )
)
# What is made is kept by `self`: as it is, or in what another constructor makes of it.
_KEPT_BY_SELF = r"[ \t]*self\.\w+\s*(?::[^=\n]*)?=(?!=)"
_CONSTRUCTED = r"\s*(?:\w+\.)*(?:\Z|[A-Z]\w*\s*\()"
_NO_MODULE = r"[ \t]*(?:from|import)\b|.*(?:\bsuper\(\s*|\bis(?:instance|subclass)\([^()]*,[\s\w.,(]*)\Z"
_HEADER = r"[ \t]*(?:class|def|async[ \t]+def)\b"
_APPENDED = r"\.append\(\s*(?:\w+\.)*\Z"
_CALLED_AT_ONCE = r"\)\s*(?:\.\s*(?:forward|generate)\s*)?\("
_CALLEE = r"(\w+)\s*[(]"
_SELF_MOVES = r"self\.(?:to|cuda|xpu)\s*\("
_CALLS_SELF = r"self(?<!\wself)(?:\.forward)?\(|= self$"
_GIVES_SELF = r"[(,=][ \t]*self(?:[ \t]*[,)]|$)"
_READS_SELF = r"(?:def[ \t]+\w+\(|\bsuper\([ \t]*\w+,|(?:attr|isinstance|super)\()[ \t]*\Z"


class Modules(Text):
    """Answers for one text."""

    def leaves_module(self) -> bool:
        """Whether a module may be made that is neither an attribute of a module nor a part of one.

        What an object of a class with bases keeps moves with the object, as far as its own file shows. Any
        other module comes from a layer of torch, a class of the text that has such layers, or a library of models.
        """
        return self.may_show(lambda code: _places_itself(code) or _loads_model(code) or self._makes_module())

    def _makes_module(self) -> bool:
        """Whether a layer or an own class with layers may become something else than the part of an object."""
        if any(self._is_kept(m.start()) for m in in_bytes(_CALLED_AT_ONCE).finditer(self.code or b"")):
            return True
        return any(not self._settled(at, end) for at, end in self._layers()) or any(map(self._left, self._own))

    def _is_kept(self, at: int) -> bool:
        """Whether a statement keeps what it makes in `self` or in a list."""
        head = (self.code or b"")[self.statement(at) : at]
        return in_bytes(_KEPT_BY_SELF).match(head) is not None or b".append(" in head

    def _layers(self) -> Iterator[tuple[int, int]]:
        """Where the names of torch's layers with parameters stand."""
        code = self.code or b""
        for word in _LAYERS:
            at = code.find(word)
            while at >= 0:
                start, end = self._word(at)
                name = code[start:end]
                if name not in self._own and in_bytes(_LAYER).match(name) and code[start - 5 : start] != b"self.":
                    yield start, end
                at = code.find(word, end)

    def _word(self, at: int) -> tuple[int, int]:
        """The whole word that holds a place."""
        code = self.code or b""
        start = end = at
        while start and code[start - 1] in WORD:
            start -= 1
        while end < len(code) and code[end] in WORD:
            end += 1
        return start, end

    @cached_property
    def _own(self) -> frozenset[bytes]:
        """The names of the classes of the text that may be modules."""
        return frozenset(
            name for name, blocks in self.classes.items() if any(self._bases[b.start] != frozenset() for b in blocks)
        )

    def _left(self, name: bytes) -> bool:
        """Whether an object of a class of the text, which has layers with parameters, may be made and called."""
        code = self.code or b""
        at = code.find(name)
        while at >= 0:
            start, end = self._word(at)
            if end - start == len(name) and not self._settled(start, end):
                return any(in_bytes(PARAMETRIC).search(self.data, b.start, self.end(b)) for b in self.classes[name])
            at = code.find(name, end)
        return False

    def _settled(self, at: int, end: int) -> bool:
        """Whether what makes modules stands where it makes none, or one that an object keeps as its part."""
        code = self.code or b""
        line = code.rfind(b"\n", 0, at) + 1
        head = code[line:at]
        kept = in_bytes(_KEPT_BY_SELF).match(head)
        if kept is None and not in_bytes(_HEADER).match(head):
            start = self.statement(at)
            if start != line:
                head = code[start:at]
                kept = in_bytes(_KEPT_BY_SELF).match(head)
        if kept is not None:
            around = [b for b in self.around(at) if b.is_class]
            if not around or not self._may_be_module(around[0]) or not in_bytes(_CONSTRUCTED).match(head, kept.end()):
                return False
            return all(word[:1].isupper() for word in in_bytes(_CALLEE).findall(head, kept.end()))
        if in_bytes(_HEADER).match(head):
            return self._ends_header(end)
        if in_bytes(_NO_MODULE).match(head.replace(b"\n", b" ")):
            return True
        return in_bytes(_APPENDED).search(head) is not None and b"def append" not in code

    def _ends_header(self, at: int) -> bool:
        """Whether the logical line of a place ends with a colon."""
        code = self.code or b""
        line = code.find(b"\n", at)
        if line < 0 or code[at:line].rstrip().endswith(b":"):
            return True
        start = self.statement(at)
        while line >= 0 and self.statement(line + 1) == start:
            line = code.find(b"\n", line + 1)
        return line < 0 or code[start:line].rstrip().endswith(b":")

    def _may_be_module(self, block: Block, seen: frozenset[bytes] = frozenset()) -> bool:
        """Whether a class has a base that is a module, or one that is not known."""
        bases = self._bases[block.start]
        if bases is None:
            return False
        known = ((base, self.classes.get(base, ())) for base in bases - seen)
        return any(
            any(self._may_be_module(own, seen | {base}) for own in blocks) if blocks else base not in _PLAIN_BASES
            for base, blocks in known
        )


def _places_itself(code: bytes) -> bool:
    """Whether a module may be placed and called from within: what it gets afterwards is a part that stays."""
    if in_bytes(_SELF_MOVES).search(code):
        return True
    if not in_bytes(_CALLS_SELF).search(code):
        return False
    given = (m.start() + 1 for m in in_bytes(_GIVES_SELF).finditer(code))
    return any(not in_bytes(_READS_SELF).search(code[max(0, at - 80) : at]) for at in given)


def _loads_model(code: bytes) -> bool:
    """Whether a library of models may make one."""
    return any(word in code for word in _LIBRARY_WORDS) and in_bytes(_LIBRARIES).search(code) is not None
