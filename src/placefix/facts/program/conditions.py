"""The meaning of tests: whether to use CUDA, by availability or by a flag of the script.

A guard may be removed, or a device derived, only if the device depends on exactly that test.
Two tests are the same when their keys are equal.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from placefix.facts import torch_api as api
from placefix.facts.accelerators import CUDA
from placefix.facts.naming import (
    last,
    mentions_device,
    mentions_device_or_platform,
    names_cpu,
    names_cuda,
    names_cuda_flag,
    names_device_option,
    names_gpu_count,
    names_is_cuda,
    names_other_question,
)
from placefix.facts.program.arguments import self_class
from placefix.facts.program.ast_names import defaults, dotted, identifiers, item, keyword_value, literal_text
from placefix.facts.program.ast_walk import children, walk
from placefix.facts.program.command_options import options
from placefix.facts.program.comparisons import ANSWERS, MIRRORED
from placefix.facts.program.placing_calls import placing_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from placefix.facts.accelerators import Accelerator
    from placefix.facts.program.expression_index import AttributeWrite, Index
    from placefix.facts.program.tree import Scope, Tree

AVAILABLE = ("available",)
Key = tuple[object, ...]
_ONE = ("Eq", ("constant", "1"))
_NAMED = (("Eq", ("constant", "'cuda'")), ("Eq", ("constant", "'gpu'")), ("NotEq", ("constant", "'cpu'")))
# How a count of devices is compared with "any" and with "none".
_SOME = (("Gt", ("constant", "0")), ("GtE", ("constant", "1")), ("NotEq", ("constant", "0")))
_NONE = (
    ("LtE", ("constant", "0")),
    ("Lt", ("constant", "1")),
    ("Eq", ("constant", "0")),
)  # each the opposite of that above


class Test(NamedTuple):
    """A test for CUDA.

    text: as written; key: equal for equal tests; negated: true means no CUDA (the key is
    that of the positive test); roots: the names it reads with the scopes that bind them;
    reads: the dotted names it reads.
    """

    text: str
    key: tuple[object, ...]
    negated: bool
    roots: tuple[tuple[str, Scope], ...]
    reads: tuple[str, ...]

    @property
    def available(self) -> bool:
        """Whether it tests nothing but the availability of CUDA."""
        return self.key == AVAILABLE

    def and_available(self) -> Test:
        """The test that also requires the availability of CUDA."""
        key = ("not", self.key) if self.negated else self.key
        return (
            self if self.available and not self.negated else self._replace(key=("and", key, AVAILABLE), negated=False)
        )

    @property
    def indirect(self) -> bool:
        """Whether it compares a number, of GPUs or of one, or a device: it counts as the script's flag only where tensors are placed.
        It may be about which GPU is the current one, and code outside of it may use a GPU as well."""
        return self.key[0] == "compare"


class Tests:
    """Reads the tests of one file.

    elsewhere: the key of an import with a qualified name, None if unknown. accelerator: the accelerator that the tests
    are about, in CUDA's place; a flag is known to be about CUDA only, other accelerators have their function alone.
    """

    def __init__(
        self,
        tree: Tree,
        index: Index,
        elsewhere: Callable[[str], tuple[object, ...] | None],
        accelerator: Accelerator = CUDA,
    ) -> None:
        self.accelerator = accelerator
        self._available = api.AVAILABILITY | {"torch.cuda.device_count"}
        self._mentions = mentions_device
        if accelerator is not CUDA:
            self._available, self._mentions = frozenset({f"torch.{accelerator.available}"}), mentions_device_or_platform
        self.tree = tree
        self.index = index
        self._elsewhere = elsewhere
        self._names: dict[tuple[Scope, str], tuple[object, ...] | None] = {}

    def read(self, test: ast.expr, scope: Scope) -> Test | None:
        """`test` as a test for CUDA in `scope`; None if it is about anything else or is not pure."""
        key = self._key(test, scope)
        return self._test(test, key, scope) if key is not None and self._about_cuda(key) else None

    def of_one(self, test: ast.expr, name: str, scope: Scope) -> Test | None:
        """`test` as a test of the one name it reads; None if it reads others."""
        key = self._key(test, scope)
        read = self._test(test, key, scope) if key is not None else None
        return read if read is not None and read.reads == (name,) else None

    def _test(self, test: ast.expr, key: tuple[object, ...], scope: Scope) -> Test:
        negated = False
        while key[0] == "not":
            negated = not negated
            key = key[1]  # type: ignore[assignment]
        roots: dict[tuple[str, Scope], None] = {}
        reads: dict[str, None] = {}
        self._reads(test, scope, roots, reads)
        return Test(self.tree.source.code(test), key, negated, tuple(roots), tuple(reads))

    def mentions_cuda(self, test: ast.expr, scope: Scope) -> bool:
        """Whether a test has anything to do with CUDA or devices at all. A placement in it is no question: ``(y := x.cuda()).sum() > 0``."""
        placements = {
            id(part) for call in walk(test) if isinstance(call, ast.Call) for part in placing_parts(call, scope)
        }
        for part in walk(test):
            if id(part) in placements:
                continue
            if isinstance(part, ast.Attribute) and self._mentions(part.attr):
                if part.attr != "is_available" or self.tree.qualname(part, scope) != "torch.distributed.is_available":
                    return True
            if isinstance(part, ast.Name):
                if self._mentions(part.id):
                    return True
                found = self.named(part.id, scope)
                if found is not None and self._about_cuda(found):
                    return True
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                if part.value.startswith("cuda") or (self.accelerator is not CUDA and self._mentions(part.value)):
                    return True
        return False

    def _reads(self, node: ast.AST, scope: Scope, roots: dict[tuple[str, Scope], None], reads: dict[str, None]) -> None:
        if isinstance(node, ast.Call):
            if _is_len(node) or dotted(node.func) == "bool":
                for arg in node.args:
                    self._reads(arg, scope, roots, reads)
            return
        text = item(node) if isinstance(node, ast.Subscript) else ""
        if text or isinstance(node, (ast.Name, ast.Attribute)):
            text = text or dotted(node)  # type: ignore[arg-type]
            owner = scope.lookup(text.partition(".")[0])
            reads[text] = None
            if owner is not None:
                roots[text.partition(".")[0], owner] = None
            return
        for child in children(node):
            self._reads(child, scope, roots, reads)

    def _key(self, node: ast.expr, scope: Scope) -> Key | None:
        """The key of an expression as a question; None where it is none, or not pure."""
        handler = _KEYS.get(node.__class__)
        return handler(self, node, scope) if handler is not None else None

    def _of_call(self, node: ast.Call, scope: Scope) -> Key | None:
        """``torch.cuda.is_available()``, ``bool(flag)``, ``len(gpus)``."""
        name = self.tree.qualname(node.func, scope) or self._by_a_star(node.func, scope)
        if name in self._available and not node.args and not node.keywords:
            return AVAILABLE  # no device: no CUDA, as torch itself reads it
        if isinstance(node.func, ast.Name) and node.func.id == "bool" and len(node.args) == 1 and not node.keywords:
            return self._key(node.args[0], scope)
        if _is_len(node) and scope.lookup("len") is None:
            held = self._key(node.args[0], scope)
            return ("len", held) if held is not None and held[0] in ("name", "attribute") else None
        return None

    def _of_name(self, node: ast.Name, scope: Scope) -> Key | None:
        return self.named(node.id, scope)

    def _of_item(self, node: ast.Subscript, scope: Scope) -> Key | None:
        """``options["cuda"]``"""
        text = item(node)
        owner = scope.lookup(text.partition(".")[0])
        return ("attribute", text, id(owner)) if text and owner is not None else None

    def _of_unary(self, node: ast.UnaryOp, scope: Scope) -> Key | None:
        """``not flag``, ``-1``"""
        if isinstance(node.op, ast.Not):
            key = self._key(node.operand, scope)
            if key is None:
                return None
            return key[1] if key[0] == "not" else ("not", key)  # type: ignore[return-value]
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return ("constant", "-" + repr(node.operand.value))
        return None

    def _of_conditional(self, node: ast.IfExp, scope: Scope) -> Key | None:
        """``True if flag else False``"""
        plain = isinstance(node.body, ast.Constant) and isinstance(node.orelse, ast.Constant)
        if plain and (node.body.value, node.orelse.value) == (True, False):  # type: ignore[attr-defined]
            return self._key(node.test, scope)
        return None

    def _of_both(self, node: ast.BoolOp, scope: Scope) -> Key | None:
        """``flag and torch.cuda.is_available()``"""
        keys = [self._key(value, scope) for value in node.values]
        if any(key is None for key in keys):
            return None
        unique = tuple(dict.fromkeys(keys))
        return unique[0] if len(unique) == 1 else ("and" if isinstance(node.op, ast.And) else "or", *unique)

    def _of_constant(self, node: ast.Constant, scope: Scope) -> Key | None:
        return ("constant", repr(node.value))

    def _by_a_star(self, func: ast.expr, scope: Scope) -> str:
        """``torch.cuda.is_available`` where nothing binds `torch` but, by its name, a star import."""
        text = dotted(func)
        return (
            text if text.startswith("torch.") and self.tree.root.star_import and scope.lookup("torch") is None else ""
        )

    def _compare(self, node: ast.Compare, scope: Scope) -> Key | None:
        if len(node.ops) != 1:
            return None
        left, right = self._key(node.left, scope), self._key(node.comparators[0], scope)
        if left is None or right is None:
            return None
        op = type(node.ops[0]).__name__
        if left[0] == "constant":
            left, op, right = right, MIRRORED.get(op, op), left
        if left == AVAILABLE and (op, right) in _SOME:
            return left
        if left == AVAILABLE and (op, right) in _NONE:
            return ("not", left)
        if (op, right) in _NONE and _counts(left):
            return ("not", ("compare", _SOME[_NONE.index((op, right))][0], left, _SOME[_NONE.index((op, right))][1]))
        if (op, right) == ("Eq", ("constant", "'cpu'")) and _device(left):
            return ("not", ("compare", "NotEq", left, right))
        yes = ANSWERS.get((op, str(right[1]))) if right[0] == "constant" else None
        if yes is not None and self._is_truth_value(left):
            if yes:
                return left
            return left[1] if left[0] == "not" else ("not", left)  # type: ignore[return-value]
        return ("compare", op, left, right)

    def is_available_alone(self, key: tuple[object, ...]) -> bool:
        """Whether a question asks for nothing but CUDA: ``use_cuda and torch.cuda.is_available()`` after ``use_cuda = True``, the only binding."""
        return key[0] == "and" and AVAILABLE in key and all(map(self._is_true, set(key[1:]) - {AVAILABLE}))

    def _is_true(self, key: object) -> bool:
        """Whether a name of the module is bound once, to True."""
        root, name = self.tree.root, str(key[1]) if isinstance(key, tuple) and key[0] == "name" else ""
        values = self.index.values(root, name) if name and key[2] == id(root) else []  # type: ignore[index]
        value = values[0].value if len(values) == len(root.bindings.get(name, ())) == 1 else None
        return isinstance(value, ast.Constant) and value.value is True

    def _is_truth_value(self, key: object) -> bool:
        """Whether the value of a test is True or False, no other number: compared with one it is the same test."""
        if not isinstance(key, tuple):
            return False
        if key[0] in ("available", "not", "compare"):
            return True
        if key[0] in ("and", "or"):
            return all(map(self._is_truth_value, key[1:]))
        if key[0] not in ("name", "attribute"):
            return False
        text = str(key[1])
        writes: Sequence[AttributeWrite] = self.index.writes.get(text, ())
        if key[0] == "attribute":
            switch = text.rpartition(".")[2] in self._switches
        else:
            owner = next((scope for scope in self.tree.scopes.values() if id(scope) == key[2]), self.tree.root)
            switch = _is_switch(owner, text)
            writes = self.index.values(owner, text)
            if len(writes) + switch != len(owner.bindings.get(text, ())):
                return False
        return bool(switch or writes) and all(
            w.value is not None and self._gives_truth_value(w.value, w.stmt.scope) for w in writes
        )

    def _gives_truth_value(self, value: ast.expr, scope: Scope) -> bool:
        """Whether an expression that a flag is bound to is True or False."""
        if isinstance(value, ast.Constant):
            return isinstance(value.value, bool)
        if isinstance(value, ast.Name):
            return _is_switch(scope, value.id) and not self.index.binding(scope, value.id)
        if isinstance(value, ast.BoolOp):
            return all(self._gives_truth_value(part, scope) for part in value.values)
        key = self._key(value, scope)
        return key is not None and key[0] in ("available", "not", "compare")

    @cached_property
    def _switches(self) -> frozenset[str]:
        """The options of the command line that are True or False: ``add_argument("--cuda", action="store_true")``."""
        actions = ("store_true", "store_false")
        return frozenset(
            name
            for name, calls in options(self.index).items()
            if any(literal_text(keyword_value(call, "action")) in actions for call in calls)
        )

    def named(self, name: str, scope: Scope) -> tuple[object, ...] | None:
        """The key of the question whose answer a name holds."""
        owner = scope.lookup(name)
        if owner is None:
            return None if not self.tree.root.star_import else ("name", name, 0)
        if any(isinstance(node, ast.Delete) for node in owner.bindings.get(name, ())):
            return None  # it can be read until then
        slot = (owner, name)
        if slot not in self._names:
            self._names[slot] = ("name", name, id(owner))  # ends recursion
            if names_is_cuda(name) and not self._follows(self.index.values(owner, name)):
                self._names[slot] = ("name", name, id(owner), True)
            elif len(owner.bindings.get(name, ())) == 1:
                writes = self.index.values(owner, name)
                value = writes[0].value if len(writes) == 1 else None
                key = self._key(value, owner) if value is not None else None
                if key == AVAILABLE:
                    self._names[slot] = AVAILABLE
                elif key is not None and key[0] != "constant":
                    # a named test keeps its name; whether it is about CUDA is looked up there
                    self._names[slot] = ("name", name, id(owner), self._about_cuda(key))
                elif name in owner.imports:
                    self._names[slot] = self._imported(owner.imports[name], name) or self._names[slot]
            elif len(owner.bindings.get(name, ())) == 2 and self._is_answer(self.index.values(owner, name)):
                self._names[slot] = AVAILABLE
        return self._names[slot]

    def _is_answer(self, writes: Sequence[AttributeWrite]) -> bool:
        """Whether the only assignments to a name are True where CUDA is there and False where it is not: in both arms of one ``if``."""
        if len(writes) != 2:
            return False
        (yes, no), owner = writes, writes[0].stmt.suite.owner
        return (
            owner is not None
            and isinstance(owner.node, ast.If)
            and [s.stmts for s in owner.suites] == [[yes.stmt], [no.stmt]]
            and [w.value.value for w in writes if isinstance(w.value, ast.Constant)] == [True, False]
            and self._key(owner.node.test, yes.stmt.scope) == AVAILABLE
        )

    def _imported(self, names: Iterable[str], written: str) -> tuple[object, ...] | None:
        """The key of an import that is called like a CUDA flag."""
        found = tuple(names)
        return self._elsewhere(found[0]) if len(found) == 1 and (names_cuda(written) or names_cpu(written)) else None

    def _is_call_of_availability(self, writes: Sequence[AttributeWrite]) -> bool:
        """Whether the one value of a name is a call that gives the availability of CUDA."""
        value = writes[0].value if len(writes) == 1 else None
        return isinstance(value, ast.Call) and self._key(value, writes[0].stmt.scope) == AVAILABLE

    def _attribute(self, node: ast.Attribute, scope: Scope) -> tuple[object, ...] | None:
        text = dotted(node)
        if not text:
            return None
        writes = self.index.writes.get(text, ())
        if not self._option(node.attr) and (self._is_call_of_availability(writes) or self._is_answer(writes)):
            return AVAILABLE
        root = text.partition(".")[0]
        owner = scope.lookup(root)
        if owner is not None and root in owner.imports and not writes and (name := self.tree.qualname(node, scope)):
            imported = self._imported((name,), node.attr)
            if imported is not None:
                return imported
        home = self_class(owner, root)
        if home is not None and text == f"{root}.cuda" and not writes:
            return None  # the method, which is always true
        if home is not None and writes and names_is_cuda(node.attr) and not self._follows(writes):
            return ("attribute", text, id(home), True)
        return ("attribute", text, id(home or owner))

    def _follows(self, writes: Iterable[AttributeWrite]) -> bool:
        """Whether the value of the name comes from the device of an object."""
        return any(w.value is None or _reads_device(w.value) for w in writes if not self._given(w))

    def _given(self, write: AttributeWrite) -> bool:
        """Whether a parameter is bound to an attribute: ``self.is_cuda = is_cuda``."""
        scope, value = write.stmt.scope, write.value
        if not isinstance(value, ast.Name) or not scope.is_function or self.index.binding(scope, value.id):
            return False
        return scope.lookup(value.id) is scope

    def _option(self, name: str) -> bool:
        """Whether the command line sets `name`."""
        dashed = "--" + name.replace("_", "-")
        text = self.tree.source.text
        return f"{dashed}'" in text or f'{dashed}"' in text or f"--{name}'" in text or f'--{name}"' in text

    def _about_cuda(self, key: tuple[object, ...]) -> bool:
        """Whether every part of the question is about using CUDA."""
        kind = key[0]
        if kind == "available":
            return True
        if self.accelerator is not CUDA and kind not in ("not", "and", "or"):
            return False
        if kind in ("name", "attribute"):
            text = str(key[1]).rpartition(".")[2].strip("[]'")
            if len(key) > 3 and key[3]:
                return True
            return (names_cuda(text) or names_cpu(text)) and not names_other_question(text)
        if kind in ("not", "and", "or"):
            return all(self._about_cuda(part) for part in key[1:] if isinstance(part, tuple))
        if kind == "compare":
            left = key[2]
            if _counts(left):
                return (key[1], key[3]) in _SOME or (key[1], key[3]) == _ONE
            if _device(left):
                return (key[1], key[3]) in _NAMED
            return (
                isinstance(left, tuple) and left[0] != "available" and self._about_cuda(left) and self._constant(key[3])
            )
        return False

    @staticmethod
    def _constant(key: object) -> bool:
        """Whether a comparison with it has a known meaning: a word that is no device names a way of using CUDA."""
        if not isinstance(key, tuple) or key[0] not in ("constant", "not"):
            return False
        word = str(key[1])
        return not word.startswith(("'", '"')) or names_cuda(word) or names_cpu(word.strip("'\""))


_KEYS: dict[type[ast.expr], Callable[[Tests, Any, Scope], Key | None]] = {
    ast.Call: Tests._of_call,
    ast.Name: Tests._of_name,
    ast.Attribute: Tests._attribute,
    ast.Subscript: Tests._of_item,
    ast.UnaryOp: Tests._of_unary,
    ast.IfExp: Tests._of_conditional,
    ast.BoolOp: Tests._of_both,
    ast.Compare: Tests._compare,
    ast.Constant: Tests._of_constant,
}


def is_of_cuda(test: Test) -> bool:
    """Whether a flag that things are placed under may be meant for all that uses CUDA: it counts whether there is CUDA in, or it
    is named for that and nothing else (``use_cuda``, no ``offload_cpu``)."""
    if test.available or (test.key[0] == "and" and AVAILABLE in test.key):
        return True
    words = [text.rpartition(".")[2].strip("[]'\"") for text in test.reads]
    return bool(words) and all(names_cuda_flag(w) or names_gpu_count(w) or names_device_option(w) for w in words)


def one_of_several(key: tuple[object, ...]) -> bool:
    """Whether a test is for exactly one GPU: with more, other code runs."""
    return key[0] == "compare" and (key[1], key[3]) == _ONE


def device_asked(key: tuple[object, ...]) -> str:
    """The device that a test compares by name (``self.device == "cuda"``), or an empty string."""
    if key[0] == "compare" and _device(key[2]) and (key[1], key[3]) in _NAMED and key[3] != ("constant", "'gpu'"):
        return str(key[2][1])  # type: ignore[index]
    return ""


def _is_switch(scope: Scope, name: str) -> bool:
    """Whether a parameter of a function is True or False by its default."""
    if not scope.is_function:
        return False
    given = defaults(scope.function.args).get(name)
    return isinstance(given, ast.Constant) and isinstance(given.value, bool)


def _is_len(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1 and not node.keywords


def _counts(key: object) -> bool:
    """Whether it is how many GPUs to use: a number, or the length of the list of them."""
    if not isinstance(key, tuple):
        return False
    if key[0] == "len":
        return names_cuda(last(str(key[1][1])))
    return key[0] in ("name", "attribute") and names_gpu_count(last(str(key[1])))


def _device(key: object) -> bool:
    return isinstance(key, tuple) and key[0] in ("name", "attribute") and names_device_option(str(key[1]))


def _reads_device(value: ast.expr) -> bool:
    """Whether an expression reads the device of an object, or an answer about it."""
    return not identifiers(value).isdisjoint({"is_cuda", "get_device"}) or any(
        isinstance(part, ast.Attribute) and part.attr == "device" for part in walk(value)
    )
