"""Uses of the old names in torch.cuda.amp, and their replacements in torch.amp."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from placefix.byte_patterns import in_bytes, module_stem, word
from placefix.diagnostic import Insert, Replace, Span
from placefix.facts import reasons
from placefix.facts.context import FileAnalysis
from placefix.facts.devices.torch_imports import TorchImports
from placefix.facts.finding import Finding
from placefix.facts.naming import mentions_version
from placefix.facts.program.ast_names import dotted, every_parameter, is_name, unpacks
from placefix.facts.program.ast_walk import header, walk
from placefix.rules.cuda.move_edits import first_argument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Edit
    from placefix.facts.program.tree import Scope, Stmt
    from placefix.facts.wording import Reason

_OLD = "torch.cuda.amp"
# Old name -> the first torch whose torch.amp has it.
SINCE = {"autocast": (1, 12), "GradScaler": (2, 3), "custom_fwd": (2, 4), "custom_bwd": (2, 4)}
# Another file tests the class of a value that it gets.
_ASKED_ELSEWHERE = word("isinstance") + r"[ \t]*\([^\n]*\b{}\b"
# The positional parameters of the old autocast; the new one has device_type first and dtype second.
_AUTOCAST = ("enabled", "dtype", "cache_enabled")


class _AmpUse(NamedTuple):
    node: ast.expr  # the name or attribute
    call: ast.Call | None
    decorator: bool
    annotation: bool
    stmt: Stmt


class Amp(FileAnalysis):
    """PF404 for one file."""

    def uses(self) -> Iterator[Finding]:
        """Everything that goes through torch.cuda.amp, by import or by attribute."""
        uses = self._uses
        for stmt in self.tree.stmts.values():
            if isinstance(stmt.node, ast.ImportFrom) and stmt.node.module == _OLD and not stmt.node.level:
                yield from self._from_import(stmt, stmt.node, uses)
        chained = {id(u): u for u in uses if isinstance(u.node, ast.Attribute)}
        for name, stmt, span in self._module_aliases():
            mine = [
                u
                for u in chained.values()
                if isinstance(u.node, ast.Attribute) and isinstance(u.node.value, ast.Name) and u.node.value.id == name
                and u.stmt.scope.lookup(name) is stmt.scope
            ]  # fmt: skip
            for use in mine:
                chained.pop(id(use), None)
            yield from self._alias(stmt, span, mine, name)
        for use in chained.values():
            yield self._chain(use)

    @cached_property
    def _uses(self) -> list[_AmpUse]:
        """Every expression that denotes one of the old names, with its call."""
        index = self.context.index
        # An import gives one of them a name, or a chain ends in it.
        named = {
            name
            for s in self.tree.scopes.values()
            for name, found in s.imports.items()
            if any("amp" in full for full in found)
        }
        places: list[tuple[ast.expr, Stmt]] = [place for name in named for place in index.read(name)]
        places += [(node, stmt) for _, node, stmt in index.attributes(SINCE.__contains__)]
        old = [
            (node, stmt)
            for node, stmt in places
            if isinstance(getattr(node, "ctx", None), ast.Load) and self._old(node, stmt.scope)
        ]
        if not old:
            return []
        calls = {id(call.func): call for call, _ in index.calls}
        found: list[_AmpUse] = []
        for node, stmt in old:
            decorators = [d.func if isinstance(d, ast.Call) else d for d in getattr(stmt.node, "decorator_list", ())]
            annotated = any(part is node for annotation in _annotations(stmt.node) for part in walk(annotation))
            found.append(_AmpUse(node, calls.get(id(node)), any(d is node for d in decorators), annotated, stmt))
        found.sort(key=lambda u: (u.node.lineno, u.node.col_offset))
        return found

    def _old(self, node: ast.expr, scope: Scope) -> str:
        """The last part of the name when `node` denotes torch.cuda.amp.<name>."""
        name = self.tree.qualname(node, scope) or ""
        head, _, last = name.rpartition(".")
        return last if head == _OLD and last in SINCE else ""

    def _refused(self, name: str) -> Reason | None:
        """Why no use of an old name can be replaced, None where one can."""
        need, have = SINCE[name], self.context.settings.target_torch
        if have < need:
            return reasons.AMP_TOO_NEW(name=name, need_major=need[0], need_minor=need[1], major=have[0], minor=have[1])
        newest = self._newest
        if have < SINCE[newest]:
            return reasons.AMP_WOULD_BE_MIXED(name=newest, need_major=SINCE[newest][0], need_minor=SINCE[newest][1])
        if name in self._compared:
            return reasons.AMP_CLASS_COMPARED(name=name)
        return None

    def _version_of(self, use: _AmpUse) -> Reason | None:
        """Why one use stays: the code around it is for some versions of torch."""
        return reasons.VERSION_TESTED if self._depends_on_version(use.stmt) else None

    @cached_property
    def _newest(self) -> str:
        """The name that the file uses and torch.amp has last: a file that needs the old module for it keeps it for all of them."""
        return max((self._old(use.node, use.stmt.scope) for use in self._uses), key=lambda name: (SINCE[name], name))

    @cached_property
    def _compared(self) -> frozenset[str]:
        """The old classes that this file, or one that may run with it, compares the class of something with."""
        old = {id(u.node): self._old(u.node, u.stmt.scope) for u in self._uses}
        index, home = self.context.index, self.context.home
        asked = [
            a for call, _ in index.calls if dotted(call.func) in ("isinstance", "issubclass") for a in call.args[1:]
        ]
        asked += [
            n for u in self._uses for part in header(u.stmt.node) for n in walk(part) if isinstance(n, ast.Compare)
        ]
        found = {old[id(node)] for part in asked for node in walk(part) if id(node) in old}
        if home is not None:
            found |= {name for name in {*old.values()} - found if home.sharing(_ASKED_ELSEWHERE.format(name))}
        return frozenset(found)

    def _handed_on(self, name: str) -> bool:
        """Whether another file of the repository takes a name of the module level from this one."""
        home = self.context.home
        if home is None:
            return False
        stem = module_stem(home.path)
        if not stem:
            return True
        taken = in_bytes(rf"^[ \t]*from\b[^\n]*\b{stem}[ \t]+import[ \t]*(?:\*|[^\n(]*\b{name}\b|\([^)]*\b{name}\b)")
        through = in_bytes(rf"^[ \t]*(?:from[^\n]*)?import\b[^\n]*\b{stem}\b"), in_bytes(rf"(?<!amp)\.{name}\b")
        texts = (home.project.files.read(file) or b"" for file in home.importers(home.path))
        return any(taken.search(text) or all(part.search(text) for part in through) for text in texts)

    # --- one use --------------------------------------------------------------------------------

    def _arguments(self, use: _AmpUse, name: str) -> tuple[Replace, ...] | None:
        """The edits of the arguments; None for a use that is not understood."""
        if use.call is None:
            if use.decorator and name.startswith("custom_"):
                end = self.context.span(use.node).end
                return (Replace(Span(end, end), '(device_type="cuda")', ""),)
            return () if use.annotation else None
        call = use.call
        if unpacks(call):
            return None
        if name.startswith("custom_") and not use.decorator:
            return None
        text = self.context.source.text
        paren = text.index("(", self.context.span(call.func).end)
        first = 'device_type="cuda"' if name.startswith("custom_") else '"cuda"'
        edits = list(first_argument(self.context, call, first, Replace(Span(paren, paren + 1), "(", "(")))
        if name == "autocast":
            if len(call.args) > len(_AUTOCAST):
                return None
            for argument, keyword in zip(call.args, _AUTOCAST, strict=False):
                start = self.context.span(argument).start
                if edits[-1].span.start == start:  # behind the new first argument
                    edits[-1] = Replace(edits[-1].span, f"{edits[-1].text}{keyword}=", "")
                else:
                    edits.append(Replace(Span(start, start), f"{keyword}=", ""))
        return tuple(edits)

    def _chain(self, use: _AmpUse) -> Finding:
        """``torch.cuda.amp.autocast(…)``."""
        name = self._old(use.node, use.stmt.scope)
        span = self.context.span(use.node)
        shown = f"torch.cuda.amp.{name}"
        reason = self._refused(name) or self._version_of(use)
        if reason:
            return Finding(span, shown, why_not=reason)
        arguments = self._arguments(use, name)
        root = dotted(use.node).partition(".")[0]
        owner = use.stmt.scope.lookup(root)
        if arguments is None:
            return Finding(span, shown, why_not=reasons.NOT_CALLED_HERE)
        torch = (
            root
            if owner is not None and owner.imports.get(root) == {"torch"}
            else self.context.get(TorchImports).name_at(use.stmt)
        )
        if torch is None:
            return Finding(span, shown, why_not=reasons.TORCH_NOT_NAMED)
        old = self.context.text(use.node)
        if "\n" in old or "#" in old:
            return Finding(span, shown, why_not=reasons.NAME_SPANS_LINES)
        return Finding(span, shown, (Replace(span, f"{torch}.amp.{name}", old), *arguments))

    # --- imports ---------------------------------------------------------------------------------

    def _from_import(self, stmt: Stmt, node: ast.ImportFrom, uses: list[_AmpUse]) -> Iterator[Finding]:
        moving: list[ast.alias] = []
        edits: list[Edit] = []
        for alias in node.names:
            bound = alias.asname or alias.name
            mine = [u for u in uses if is_name(u.node, bound) and self._bound_here(u, stmt, bound)]
            if alias.name not in SINCE or not mine:
                continue
            arguments = [a for u in mine if (a := self._arguments(u, alias.name)) is not None]
            reason = self._refused(alias.name)
            if not reason and len(arguments) < len(mine):
                reason = reasons.NOT_ONLY_CALLED(name=bound)
            reason = reason or self._why_kept(stmt, bound, mine)
            if reason:
                shown = f"torch.cuda.amp.{alias.name}"
                yield Finding(self.context.source.span(alias), shown, why_not=reason)
                continue
            moving.append(alias)
            edits += [edit for argument in arguments for edit in argument]
        if moving:
            yield self._moved_import(stmt, node, moving, edits)

    def _why_kept(self, stmt: Stmt, bound: str, uses: list[_AmpUse]) -> Reason | None:
        """Why an import stays: code that is not seen, or another use, may need the name."""
        if self._fallback(stmt):
            return reasons.IMPORTED_SEVERAL_WAYS
        if any(map(self._version_of, uses)):
            return reasons.VERSION_TESTED
        if stmt.scope is self.tree.root and self._handed_on(bound):
            return reasons.IMPORTED_BY_ANOTHER_FILE(name=bound)
        return reasons.USED_OTHERWISE(name=bound) if self._elsewhere(bound, uses) else None

    def _moved_import(self, stmt: Stmt, node: ast.ImportFrom, moving: list[ast.alias], edits: list[Edit]) -> Finding:
        """The import of some names from torch.amp, with the edits of their uses."""
        span, text = self.context.span(stmt), self.context.text(stmt)
        name = " and ".join(f"torch.cuda.amp.{a.name}" for a in moving)
        if len(moving) == len(node.names):
            at = span.start + text.index(_OLD)
            return Finding(span, name, (Replace(Span(at, at + len(_OLD)), "torch.amp", _OLD), *edits))
        if "#" in text or "\\" in text:
            return Finding(span, name, why_not=reasons.IMPORT_WOULD_BE_SPLIT)
        names = Span(self.context.source.span(node.names[0]).start, self.context.source.span(node.names[-1]).end)
        rest = ", ".join(self.context.source.code(a) for a in node.names if a not in moving)
        new = ", ".join(self.context.source.code(a) for a in moving)
        split = Insert(span, f"from torch.amp import {new}")
        return Finding(span, name, (split, Replace(names, rest, self.context.source.segment(names)), *edits))

    def _fallback(self, stmt: Stmt) -> bool:
        """An import in a try, or under a test of versions: the other path may not know torch.amp."""
        return any(isinstance(a.node, ast.Try) for a in stmt.ancestors()) or self._depends_on_version(stmt)

    def _depends_on_version(self, stmt: Stmt) -> bool:
        """Whether a test of versions decides if a statement runs: it may be for a torch without torch.amp."""
        return any(isinstance(a.node, ast.If) and self._tests_version(a.node.test, a.scope) for a in stmt.ancestors())

    def _tests_version(self, test: ast.expr, scope: Scope) -> bool:
        """Whether a test reads a version: ``torch.__version__ < "2"``, or a name that is computed with one."""
        read = (values for node in walk(test) if isinstance(node, ast.Name) for values in self._values(node.id, scope))
        return any(map(mentions_version, (self.context.text(test), *read)))

    def _values(self, name: str, scope: Scope) -> Iterator[str]:
        """The texts of the values that a name may have, in this file or in the one that it is imported from."""
        owner, home = scope.lookup(name), self.context.home
        for write in self.context.index.values(owner, name) if owner is not None else ():
            if write.value is not None:
                yield self.context.text(write.value)
        for imported in owner.imports.get(name, ()) if owner is not None else ():
            found = home.find(imported) if home is not None else None
            if found is not None and found.value is not None:
                yield found.tree.source.code(found.value)

    def _bound_here(self, use: _AmpUse, stmt: Stmt, name: str) -> bool:
        return use.stmt.scope.lookup(name) is stmt.scope and len(stmt.scope.bindings[name]) == 1

    def _elsewhere(self, name: str, mine: list[_AmpUse]) -> bool:
        """Whether the name is read in a way that is none of `mine` (``__all__`` and strings are not read)."""
        known = {id(u.node) for u in mine}
        return any(
            isinstance(getattr(n, "ctx", None), ast.Load)
            and id(n) not in known
            and s.scope.lookup(name) is not None
            and self._old(n, s.scope)
            for n, s in self.context.index.read(name)
        )

    def _module_aliases(self) -> list[tuple[str, Stmt, Span]]:
        """Names bound to the module: ``from torch.cuda import amp``, ``import torch.cuda.amp as amp``."""
        found: list[tuple[str, Stmt, Span]] = []
        for stmt in self.tree.stmts.values():
            node = stmt.node
            if isinstance(node, ast.ImportFrom) and node.module == "torch.cuda" and not node.level:
                for alias in node.names:
                    if alias.name == "amp":
                        start = self.context.span(stmt).start + self.context.text(stmt).index("torch.cuda")
                        found.append((alias.asname or "amp", stmt, Span(start, start + len("torch.cuda"))))
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == _OLD and alias.asname:
                        start = self.context.source.span(alias).start
                        found.append((alias.asname, stmt, Span(start, start + len(_OLD))))
        return found

    def _alias(self, stmt: Stmt, module: Span, mine: list[_AmpUse], name: str) -> Iterator[Finding]:
        """The import and all calls through the alias together, or each call by torch's own name."""
        used = [self._old(u.node, u.stmt.scope) for u in mine]
        every = [
            n
            for n, s in self.context.index.read(name)
            if s.scope.lookup(name) is stmt.scope and isinstance(getattr(n, "ctx", None), ast.Load)
        ]
        arguments = [self._arguments(u, n) for u, n in zip(mine, used, strict=True)]
        alone = (
            len(getattr(stmt.node, "names", ())) == 1
            and len(stmt.scope.bindings[name]) == 1
            and not self._fallback(stmt)
        )
        if (
            mine
            and alone
            and len(every) == len(mine)
            and not any(self._refused(n) for n in used)
            and not any(map(self._version_of, mine))
            and all(a is not None for a in arguments)
        ):
            edits: list[Edit] = [
                Replace(
                    module,
                    "torch" if isinstance(stmt.node, ast.ImportFrom) else "torch.amp",
                    self.context.source.segment(module),
                )
            ]
            edits += [e for a in arguments if a is not None for e in a]
            yield Finding(self.context.span(stmt), _OLD, tuple(edits))
            return
        for use in mine:
            yield self._chain(use)


def _annotations(node: ast.stmt) -> list[ast.expr]:
    """The annotations of a statement: of its target, or of the parameters and the result of its function."""
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    named = [argument.annotation for argument in every_parameter(node.args)]
    return [annotation for annotation in (*named, node.returns) if annotation is not None]
