"""Words for an accelerator that are defaults, and reach a place that needs a device: ``def train(net, device="cuda")``.

A default is that of a parameter, of an option of the command line, or of the field of a dataclass. Its road to a move or a factory is
followed through names, attributes of the object and functions of the file. A name that gets another value on the road is a choice that
the program makes itself.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.diagnostic import Replace
from placefix.facts.accelerators import ACCELERATORS
from placefix.facts.context import FileAnalysis, requires
from placefix.facts.devices.device_selection import Devices
from placefix.facts.devices.execution import Execution
from placefix.facts.naming import last, names_settings
from placefix.facts.program import ast_names as names
from placefix.facts.program.arguments import self_name
from placefix.facts.program.ast_names import argument_values, called_name, dotted, keyword_value, may_give
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import code_of, parameter_of
from placefix.facts.program.command_options import destination
from placefix.rules import messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from placefix.facts.program.expression_index import AttributeWrite
    from placefix.facts.program.tree import Scope, Stmt

_MAKES_DEVICE = frozenset(("torch.device", "torch.Generator"))


# "(default: 'cuda')" in the help of an option.
_DEFAULT_IN_HELP = re.compile(
    rf"""(\bdefault\w*(?:\s+is)?[\s:=]*)(['"]?)((?:{"|".join(one.name for one in ACCELERATORS)})(?::\d+)?)\2(?![\w:])""",
    re.IGNORECASE,
)


class DefaultWord(NamedTuple):
    """A word for an accelerator that is a default. name: of the parameter, the option or the field."""

    node: ast.Constant
    stmt: Stmt
    name: str


class DefaultWords(FileAnalysis):
    """The defaults of one file that name an accelerator and become devices."""

    devices = requires(Devices)

    @cached_property
    def found(self) -> tuple[DefaultWord, ...]:
        """The defaults. A library leaves the choice to its callers, so that only scripts have some."""
        if not self.context.get(Execution).is_script:
            return ()
        return (*self._of_parameters(), *self._of_options(), *self._of_fields())

    def _of_parameters(self) -> Iterator[DefaultWord]:
        """``def build(n, device="cuda")``"""
        named = self.context.accelerator.names
        for scope in self.tree.scopes.values():
            if not isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            for name, default in names.defaults(scope.node.args).items():
                if self._names_accelerator(default) and scope.function_named(named) is None:
                    if self._is_left_out(name, scope) and self._reaches_device(name, scope, set()):
                        assert isinstance(default, ast.Constant)
                        yield DefaultWord(default, self.tree.stmts[scope.node], name)

    def _is_left_out(self, name: str, function: Scope) -> bool:
        """Whether a call in the file leaves out the argument for a parameter, so that its default counts."""
        cls = function.cls
        called = cls.name if cls is not None and function.name == "__init__" else function.name
        parameters = [a.arg for a in (*function.function.args.posonlyargs, *function.function.args.args)]
        if cls is not None and self_name(function):
            parameters = parameters[1:]
        at = parameters.index(name) if name in parameters else len(parameters)
        for call, stmt in self.index.called(called):
            runs = code_of(call, stmt.scope, None)
            if runs is not function and (runs is not None or cls is None or not isinstance(call.func, ast.Attribute)):
                continue
            if not may_give(call, name, position=at):
                return True
        return False

    def _of_options(self) -> Iterator[DefaultWord]:
        """``parser.add_argument("--device", default="cuda")``"""
        for call, stmt in self.index.called("add_argument"):
            default = keyword_value(call, "default")
            if isinstance(default, ast.Constant) and self._names_accelerator(default):
                name = destination(call)
                if name and self._is_setting_of_device(name, self._parsed):
                    yield DefaultWord(default, stmt, name)

    def help_edits(self, word: ast.expr, stmt: Stmt) -> tuple[Replace, ...]:
        """The edit of the help of an option that names its default `word`; empty if it does not."""
        for call in (node for node in walk(stmt.node) if isinstance(node, ast.Call)):
            help_text = keyword_value(call, "help")
            if keyword_value(call, "default") is word and isinstance(help_text, ast.Constant):
                span = self.context.span(help_text)
                text = self.context.source.segment(span)
                new = _DEFAULT_IN_HELP.sub(messages.HELP_DEFAULT, text, count=1)
                return (Replace(span, new, text),) if new != text else ()
        return ()

    def _of_fields(self) -> Iterator[DefaultWord]:
        """``device: str = "cuda"`` in a class."""
        for name, writes in self.index.writes.items():
            for write in writes:
                if write.stmt.scope.is_class and isinstance(write.stmt.node, ast.AnnAssign):
                    value = write.value
                    if isinstance(value, ast.Constant) and self._names_accelerator(value):
                        made = {write.stmt.scope.name, *self._instances(write.stmt.scope.name)}
                        own = self._reaches_device(f"self.{name}", write.stmt.scope, set())
                        if own or self._is_setting_of_device(name, made):
                            yield DefaultWord(value, write.stmt, name)

    def _names_accelerator(self, value: ast.expr | None) -> bool:
        """Whether a value is a word for the accelerator: ``"cuda"``, ``"cuda:1"``."""
        if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
            return False
        head, colon, number = value.value.partition(":")
        return head == self.context.accelerator.name and (not colon or number.isdigit())

    # --- settings ------------------------------------------------------------------------

    @cached_property
    def _parsed(self) -> set[str]:
        """The names of parsed command lines."""
        return {
            write.text
            for writes in self.index.writes.values()
            for write in writes
            if isinstance(write.value, ast.Call) and called_name(write.value) == "parse_args"
        }

    def _instances(self, cls: str) -> set[str]:
        """The names that calls of a class are assigned to."""
        return {
            write.text
            for writes in self.index.writes.values()
            for write in writes
            if isinstance(write.value, ast.Call) and dotted(write.value.func) == cls
        }

    def _is_setting_of_device(self, name: str, owners: set[str]) -> bool:
        """Whether an attribute of one of some objects, or of settings by their name, becomes a device, and is never set."""
        texts = {text for text, _, _ in self.index.attributes(lambda attr: attr == name)}
        texts = {t for t in texts if t.rpartition(".")[0] in owners or names_settings(last(t.rpartition(".")[0]))}
        if any(self._is_set(text, self.index.written(text)) for text in texts):
            return False
        return any(self._reaches_device(text, self.tree.root, set()) for text in texts)

    # --- roads ----------------------------------------------------------------------------

    def _reaches_device(
        self, text: str, scope: Scope, seen: set[tuple[str, Scope]], copied: AttributeWrite | None = None
    ) -> bool:
        """Whether the value of a name or chain of names becomes a device in `scope` or inside it, and nothing else decides. copied: the
        assignment that gives it the value; None for a parameter or a setting."""
        if (text, scope) in seen:
            return False
        seen.add((text, scope))
        writes = [w for w in self.index.written(text) if w is not copied and w.stmt.scope.within(scope)]
        if self._is_set(text, writes) or self._is_tested(text, scope):
            return False
        if self.devices.used_in(text, scope):
            return True
        called = ((call, stmt) for call, stmt in self.index.calls_with_argument(text) if stmt.scope.within(scope))
        if any(self._becomes_device(text, call, stmt, seen) for call, stmt in called):
            return True
        return any(
            copy.stmt.scope.within(scope) and self._reaches_device(copy.text, self._home(copy), seen, copy)
            for copy in self._copies.get(text, ())
        )

    def _home(self, write: AttributeWrite) -> Scope:
        """The scope whose code reads an assigned name: of an attribute of the object, its class."""
        scope = write.stmt.scope
        owner, dot, _ = write.text.partition(".")
        if dot and scope.is_function and scope.parent is not None and self_name(scope) == owner:
            return scope.parent
        return scope

    def _is_set(self, text: str, writes: Iterable[AttributeWrite]) -> bool:
        """Whether an assignment gives a name a value that is not made of its old one: ``device = torch.device(device)`` does not."""
        return any(
            not isinstance(w.value, ast.Call)
            or self.tree.qualname(w.value.func, w.stmt.scope) != "torch.device"
            or [dotted(a) for a in w.value.args] != [text]
            for w in writes
        )

    def _is_tested(self, text: str, scope: Scope) -> bool:
        """Whether a test with the value is about more than the value: the program chooses itself."""
        for _, stmt in self.index.read(text):
            test = getattr(stmt.node, "test", None)
            if isinstance(test, ast.expr) and stmt.scope.within(scope) and "avail" in self.context.source.code(test):
                return True
        return False

    def _becomes_device(self, text: str, call: ast.Call, stmt: Stmt, seen: set[tuple[str, Scope]]) -> bool:
        """Whether a call takes its argument `text` for a device."""
        if self.tree.qualname(call.func, stmt.scope) in _MAKES_DEVICE:
            return dotted(call.args[0]) == text if call.args else False
        function = code_of(call, stmt.scope, None)
        if function is None:
            return False
        for value in argument_values(call):
            name = parameter_of(call, value, function) if dotted(value) == text else ""
            if name and self._reaches_device(name, function, seen):
                return True
        return False

    @cached_property
    def _copies(self) -> dict[str, list[AttributeWrite]]:
        """Dotted text -> the assignments of its value, alone, to another name."""
        found: dict[str, list[AttributeWrite]] = {}
        for writes in self.index.writes.values():
            for write in writes:
                text = dotted(write.value) if write.value is not None else ""
                if text and text != write.text:
                    found.setdefault(text, []).append(write)
        return found
