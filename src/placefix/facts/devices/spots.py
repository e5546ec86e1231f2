"""The flag that governs CUDA at a statement, and the place where a device can be defined for it."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.devices.meanings import condition
from placefix.facts.devices.reaches import Reaches
from placefix.facts.interpret.stores import set_elsewhere, stores_in
from placefix.facts.program.children import walk
from placefix.facts.program.guards import AVAILABLE, Test, is_main_guard, self_class
from placefix.facts.program.names import dotted
from placefix.facts.program.tree import Scope, Stmt, common, dominates
from placefix.lazy import in_bytes, pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.facts import Facts
    from placefix.facts.interpret.stores import Stores
    from placefix.facts.program.project import Home


# How a file forks, by what, and how it says that it does not.
_FORKS = pattern(r"\b(?:Process|Pool|ProcessPoolExecutor|start_processes|fork)\b")
_PACKAGES = pattern(r"\bmultiprocessing\b(?!\.dummy)|\bconcurrent\.futures\b|\bos\.fork\b")
_SPAWNS = pattern(r"[\"'](?:spawn|forkserver)[\"']")
_VISIBLE = "CUDA_VISIBLE_DEVICES"
_WRITES_VISIBLE = r"""\benviron(?:\[\s*["']CUDA_VISIBLE_DEVICES["']\s*\]\s*=(?!=)|\.(?:setdefault|update)\([^\n]*CUDA_VISIBLE)|\bputenv\([^\n]*CUDA_VISIBLE"""
_CHOOSES = pattern(
    r"(?:set|select|choose|pick|use|init|setup|specify|occupy)\w*_(?:gpus?|cuda|visible\w*|devices)(?:_|$)"
)
# What reads the options that it is handed.
_READERS = frozenset({"print", "pprint", "main", "info", "debug", "warning", "log"})


def _sets(attr: str, code: str) -> bool:
    """Whether code may set an attribute of what it is handed."""
    return re.search(rf"\b(?!self\b|cls\b)\w+\.{attr}\s*=(?!=)|\bsetattr\(|\b__dict__\b|\bvars\(", code) is not None


class Spots(Reaches):
    """Knows the CUDA flags of a script and the statements behind which they are settled."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._flag_of: dict[Scope, tuple[Test, bool] | None] = {}
        self._choosing: dict[str, bool] = {}
        self._handed_on: dict[str, list[Stmt]] = {}
        self._before_companions: dict[tuple[Scope, tuple[object, ...]], Stmt | None] = {}

    # --- flags ------------------------------------------------------------------------------

    def flag_at(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The flag that governs CUDA at `stmt`: the function's own before the script's, the one that is
        asked most; None where there is none, or where availability is asked more."""
        if stmt.scope not in self._flag_of:
            self._flag_of[stmt.scope] = self._flag_in(stmt.scope)
        return self._flag_of[stmt.scope]

    def _flag_in(self, scope: Scope) -> tuple[Test, bool] | None:
        best: tuple[Test, bool] | None = None
        weight = 0
        bare = sum(
            placing
            for (test, positive), (_, placing) in self._flags.items()
            if not test.roots and condition(test, positive) == AVAILABLE
        )
        for (test, positive), (count, placing) in self._flags.items():
            if not all(scope.lookup(name) is owner for name, owner in test.roots):
                continue
            # the script's name for availability stands for it everywhere
            more = bare if test.roots and condition(test, positive) == AVAILABLE else 0
            score = 100 * (placing + more) + (count if test.roots else 0)
            if any(owner is scope and owner.kind == "function" for _, owner in test.roots):
                score += 100_000
            if score > weight:
                best, weight = (test, positive), score
        return best if best is not None and best[0].roots else None

    def places_under(self, test: Test, positive: bool) -> bool:
        """Whether something is placed where a flag is set, and not otherwise."""
        key = condition(test, positive)
        return any(
            placing and condition(*asked) == key and asked[0].roots == test.roots
            for asked, (_, placing) in self._flags.items()
        )

    def divided(self, stmt: Stmt) -> bool:
        """Whether the options, or the function, hold several flags under which things are placed, or devices that follow
        them: which of them an unguarded move goes with is not known."""
        flag = self.flag_at(stmt)
        asked = {
            condition(test, positive)
            for (test, positive), (_, placing) in self._flags.items()
            if placing and flag is not None and test.roots == flag[0].roots
        }
        found = [r.meaning for r in self.candidates(stmt) if r.meaning.kind == "flag"]
        followed = [(meaning.test, meaning) for meaning in found if meaning.test is not None]
        for test, meaning in followed:
            if test.roots == (flag[0] if flag is not None else followed[0][0]).roots:
                asked.add(meaning.key or AVAILABLE)
        return len(asked - {AVAILABLE}) > 1

    def key_at(self, stmt: Stmt) -> tuple[object, ...]:
        """The key of the question that a new device at `stmt` answers."""
        flag = self.flag_at(stmt)
        return AVAILABLE if flag is None else condition(*flag)

    @cached_property
    def _flags(self) -> dict[tuple[Test, bool], tuple[int, int]]:
        """The CUDA questions of the file: how often each is asked, how often to place."""
        seen: dict[tuple[object, ...], tuple[Test, bool]] = {}  # by condition and names
        found: dict[tuple[Test, bool], tuple[int, int]] = {}

        def count(test: Test, positive: bool, placing: bool) -> None:
            slot = seen.setdefault((condition(test, positive), test.roots), (test, positive))
            a, b = found.get(slot, (0, 0))
            found[slot] = (a + 1, b + placing)

        for stmt in self.tree.stmts.values():
            if isinstance(stmt.node, ast.If):
                read = self.tests.read(stmt.node.test, stmt.scope)
                if read is not None:
                    then = any(_places(s.node) for s in stmt.suites[0].stmts)
                    other = len(stmt.suites) > 1 and any(_places(s.node) for s in stmt.suites[1].stmts)
                    if then != other:
                        count(read, then, True)
                    elif not then and not read.indirect and (side := self._cuda_side(stmt, read)) is not None:
                        count(read, side, False)
        for node, stmt in self.index.conditionals:
            read = self.tests.read(node.test, stmt.scope)
            if read is not None and _places(node.body) != _places(node.orelse):
                count(read, _places(node.body), True)
        return found

    def _cuda_side(self, stmt: Stmt, read: Test) -> bool | None:
        """Which answer means CUDA at an `if` that places nothing: the one under which torch.cuda is used, or that
        the machine has a GPU; None where it is not known: a warning may stand under the opposite, too."""
        sides = [
            any(self._uses_cuda(s.node, stmt.scope) and not self._chooses(s, read) for s in suite.stmts)
            for suite in stmt.suites
        ]
        if any(sides):
            return sides[0] if sides.count(True) == 1 else None
        return not read.negated if read.available else None

    def _chooses(self, stmt: Stmt, read: Test) -> bool:
        """Whether a statement makes current the GPU whose number is asked for: ``if args.gpu: torch.cuda.set_device(args.gpu)``."""
        call = stmt.node.value if isinstance(stmt.node, ast.Expr) else None
        return (
            isinstance(call, ast.Call)
            and self.tree.qualname(call.func, stmt.scope) == "torch.cuda.set_device"
            and any(dotted(part) in read.reads for part in walk(call) if isinstance(part, ast.Name | ast.Attribute))
        )

    def _uses_cuda(self, node: ast.AST, scope: Scope) -> bool:
        """Whether a statement calls or reads something of ``torch.cuda``, beyond asking what the machine has."""
        names = {self.tree.qualname(part, scope) or "" for part in walk(node) if isinstance(part, ast.Attribute)}
        return any(n.startswith("torch.cuda.") and n not in api.ASKING for n in names)

    def settled(self, test: Test, since: Stmt | None, until: Stmt) -> bool:
        """Whether nothing sets what `test` reads between the statements `since` and `until`."""
        if since is not None and since.scope is not until.scope and self._set_elsewhere(test):
            return False
        for name, owner in test.roots:
            writers = list(self.index.binding(owner, name))
            for text in test.reads:
                if text.partition(".")[0] == name and "." in text:
                    cls = self_class(owner, name)
                    if (
                        cls is not None
                        and since is not None
                        and since.scope is not until.scope
                        and self._set_outside(text, cls)
                    ):
                        return False
                    writers += [
                        w.stmt
                        for w in self.index.written(text)
                        if w.stmt.scope.lookup(name) is owner or (cls is not None and w.stmt.scope.parent is cls)
                    ]
                    writers += [w for w in self._set_by_calls(text) if w.scope.lookup(name) is owner]
            for writer in writers:
                if _in_constructor(writer, since) and since is not None and since.scope is until.scope:
                    continue  # the object is made before its methods run
                if since is None or since.scope is not writer.scope:
                    if writer.scope is until.scope or writer.scope.kind != "module":
                        return False
                elif not dominates(writer, since):
                    pair = common(writer, since)
                    if pair is None or pair[0].index > pair[1].index or pair[0] is pair[1]:
                        return False
        return True

    def _set_by_calls(self, text: str) -> list[Stmt]:
        """The statements that hand the object whose attribute `text` is to code that sets it: ``log = prepare(args)``."""
        if text not in self._handed_on:
            held, _, attr = text.rpartition(".")
            around = {stmt for _, stmt in self.index.read(held)} if held else ()
            self._handed_on[text] = [
                stmt
                for call, stmt in (self.index.calls if around else ())
                if stmt in around and any(dotted(a) == held for a in (*call.args, *(k.value for k in call.keywords)))
                if (code := self._code_of(call, stmt)) is not None and _sets(attr, code.tree.text(code))
            ]
        return self._handed_on[text]

    def _code_of(self, call: ast.Call, stmt: Stmt) -> Scope | None:
        """The function or class that a call names, of the file or of its repository."""
        name = self.tree.qualname(call.func, stmt.scope)
        if name is not None:
            found = self.home.find(name) if self.home is not None and not name.startswith("torch.") else None
            return found.scope if found is not None else None
        owner = stmt.scope.lookup(call.func.id) if isinstance(call.func, ast.Name) else None
        if owner is None or not isinstance(call.func, ast.Name):
            return None
        return owner.functions.get(call.func.id) or owner.classes.get(call.func.id)

    def _set_outside(self, text: str, cls: Scope) -> bool:
        """Whether what an object's own methods call `text` (``self.use_cuda``) is set by other code of the file, too."""
        return any(s.cls is not cls for s in set_elsewhere(self._stores, text.partition(".")[2], cls))

    @cached_property
    def _stores(self) -> Stores:
        return stores_in(self.tree, self.facts.stores)

    def flag_before(self, stmt: Stmt) -> tuple[Test, bool] | None:
        """The script's own flag if it is settled before `stmt` of the same scope."""
        flag = self.flag_at(stmt)
        if flag is None:
            return None
        writers = self._writers(flag, stmt.scope)
        if writers is None or not all(dominates(w, stmt) for w in writers):
            return None
        return flag if all(owner is stmt.scope or owner.kind == "module" for _, owner in flag[0].roots) else None

    # --- places -----------------------------------------------------------------------------

    def _spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[Stmt, str, bool] | None:
        """(statement, before/after, with blank lines around) for a definition that reaches all of `stmts`."""
        home = self._deepest([owner for _, owner in flag[0].roots]) if flag is not None else None
        if flag is not None and self._set_elsewhere(flag[0]):
            homes = {s.scope for s in stmts}
            home = homes.pop() if len(homes) == 1 else None
            return self._function_spot(home, stmts, flag) if home is not None and home.kind != "class" else None
        if home is None or home.kind == "module":
            spot = self._module_spot(stmts, flag)
            if spot is not None or any(s.scope.kind != "function" for s in stmts):
                return spot
            homes = {s.scope for s in stmts}
            if len(homes) != 1:
                return None
            home = homes.pop()
        return self._function_spot(home, stmts, flag) if home.kind == "function" else None

    def _set_elsewhere(self, test: Test) -> bool:
        """Whether what `test` reads may be set after the module's level has been read, where no assignment shows it:
        an attribute of what is imported (``cfg.CUDA``, which a configuration file is merged into), of an object that is told
        to parse, or a literal of a file that is no script itself."""
        if test.available:
            return False
        for name, owner in test.roots:
            if owner.kind != "module":
                continue
            inside = any(text.startswith(f"{name}.") for text in test.reads)
            if name in owner.imports:
                if inside:
                    return True
                continue
            values = self.index.values(owner, name)
            made = [getattr(w.stmt.node, "value", None) for w in values]
            if inside and (not made or not all(isinstance(v, ast.Call) for v in made) or name in self._told):
                return True
            if not inside and not self.script and values and all(isinstance(w.value, ast.Constant) for w in values):
                return True
        return False

    @cached_property
    def _told(self) -> set[str]:
        """The names of objects that are told to do something, or handed to what does, for its effect: ``opt.parse(words)``,
        ``update(cfg, words)``."""
        found: set[str] = set()
        for call, stmt in self.index.calls:
            if not isinstance(stmt.node, ast.Expr) or stmt.node.value is not call:
                continue
            func = call.func
            if isinstance(func, ast.Attribute):
                found.add(dotted(func.value).partition(".")[0])
            if (func.attr if isinstance(func, ast.Attribute) else dotted(func)) not in _READERS:
                found.update(a.id for a in call.args if isinstance(a, ast.Name))
        return found

    def _deepest(self, owners: Sequence[Scope]) -> Scope | None:
        """The innermost of scopes that lie on one chain."""
        best: Scope | None = None
        for owner in owners:
            inner: Scope | None = owner
            depth = 0
            while inner is not None:
                depth += 1
                inner = inner.parent
            if best is None or depth > self._depth(best):
                best = owner
        return best

    @staticmethod
    def _depth(scope: Scope) -> int:
        depth, inner = 0, scope.parent
        while inner is not None:
            depth, inner = depth + 1, inner.parent
        return depth + 1

    def _writers(self, flag: tuple[Test, bool] | None, home: Scope) -> list[Stmt] | None:
        """The statements that set what the flag reads; None when some stand elsewhere than in `home`."""
        if flag is None:
            return []
        found: list[Stmt] = []
        for name, owner in flag[0].roots:
            found += self.index.binding(owner, name) if owner is home else ()
        if any(s.scope is not home for s in found):
            return None  # a function sets it through `global`
        for text in flag[0].reads:
            if "." not in text:
                continue
            root = text.partition(".")[0]
            for stmt in (*(w.stmt for w in self.index.written(text)), *self._set_by_calls(text)):
                scope = stmt.scope
                if scope is home:
                    found.append(stmt)
                elif scope.lookup(root) is home.lookup(root) and not (
                    scope.kind == "module" and home.kind == "function"
                ):
                    return None
        return found

    def _module_spot(self, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None) -> tuple[Stmt, str, bool] | None:
        root = self.tree.root
        if flag is None and not any(s.scope is root for s in stmts) and not (self.script and self._shared(stmts)):
            return None
        if flag is None and (self.forks or (self.chosen_by_importers and not any(map(self.runs_on_import, stmts)))):
            inside = self._in_main_guard(stmts)
            return (inside, "before", False) if inside is not None else None
        if any(s.scope is not root for s in self.env_writes):
            return None
        writers = self._writers(flag, root)
        if writers is None:
            return None
        late = [*writers, *self.env_writes]
        if not late:
            inside = self._in_main_guard(stmts)
            if inside is not None:
                return inside, "before", False
            anchor = self._after_imports()
            if anchor is None:
                return self._before_first(stmts)
            return (anchor, "after", True) if self._serves(anchor, stmts) else None
        # lift to the suite they share: the module, or the main guard's
        last = late[0]
        for stmt in late[1:]:
            pair = common(last, stmt) or (self._lifted(last), self._lifted(stmt))
            last = max(pair, key=lambda s: s.index)
        if last.parent is not None and not is_main_guard(last.parent):
            last = self._lifted(last)
        imports = self._after_imports()
        if imports is not None and last.suite is imports.suite and last.index <= imports.index:
            return (imports, "after", True) if self._serves(imports, stmts) else None
        return (last, "after", False) if self._serves(last, stmts) else None

    @cached_property
    def forks(self) -> bool:
        """Whether processes may be forked from one whose module level asks nothing of CUDA. To ask whether there is CUDA
        keeps processes that are forked afterwards from using it (torch's note on poison fork)."""
        text = self.tree.source.text
        if not _FORKS.search(text) or not _PACKAGES.search(text) or _SPAWNS.search(text):
            return False
        return not any(
            stmt.scope is self.tree.root
            and not any(is_main_guard(a) for a in stmt.ancestors())
            and (
                self.tree.qualname(call.func, stmt.scope) in api.AVAILABILITY
                or (isinstance(call.func, ast.Attribute) and call.func.attr == "cuda")
            )
            for call, stmt in self.index.calls
        )

    @cached_property
    def chosen_by_importers(self) -> bool:
        """Whether other files import this one, and may choose the visible GPUs or fork processes only after that: to ask on import whether
        there is CUDA would settle it too early."""
        home = self.facts.home
        if home is None or not (self._late(home) or self._forking(home)):
            return False
        return bool(home.importers(home.path))

    @staticmethod
    def _late(home: Home) -> bool:
        """Whether a file of the repository writes CUDA_VISIBLE_DEVICES in a function, or below imports of others."""
        for file in home.sharing(_WRITES_VISIBLE):
            there = home._replace(path=file)
            data = home.project.files.read(file) or b""
            for found in in_bytes(_WRITES_VISIBLE).finditer(data):
                start = data.rfind(b"\n", 0, found.start()) + 1
                if data[start : start + 1].isspace() or any(map(there.has, there.mentioned(start))):
                    return True
        return False

    @staticmethod
    def _forking(home: Home) -> bool:
        """Whether a file of the repository forks processes, and speaks of CUDA."""
        for file in home.sharing(r"\b(?:Process|Pool|ProcessPoolExecutor|start_processes|fork)\b"):
            text = (home.project.files.read(file) or b"").decode("utf-8", "replace")
            if "cuda" in text and _FORKS.search(text) and _PACKAGES.search(text) and not _SPAWNS.search(text):
                return True
        return False

    def runs_on_import(self, stmt: Stmt) -> bool:
        """Whether a statement of the module level runs where another file imports this one."""
        return stmt.scope is self.tree.root and not any(is_main_guard(a) for a in stmt.ancestors())

    def asked_on_import(self, stmt: Stmt) -> bool:
        """Whether a question asked at a statement comes before what the files that import this one choose."""
        return self.runs_on_import(stmt) and self.chosen_by_importers

    def _shared(self, stmts: Sequence[Stmt]) -> bool:
        """Whether code of the module level, or more than one function, needs a device for availability."""
        homes = {s.scope for s in stmts}
        for site in self.facts.cuda.sites:
            if len(homes) > 1:
                break
            if (
                site.form != "definition"
                and site.stmt.scope not in homes
                and (site.guard is None or (site.guard.test is not None and site.guard.test.available))
                and not self.facts.refusals.of(site)
                and not self.facts.intents.required(site)
                and self.at(site.stmt) is None
                and not self.facts.respell.tensor_at_hand(site)
            ):
                homes.add(site.stmt.scope)
        return len(homes) > 1

    def _lifted(self, stmt: Stmt) -> Stmt:
        """The statement of the module's (or the main guard's) suite around `stmt`."""
        for ancestor in stmt.ancestors():
            if ancestor.parent is None or is_main_guard(ancestor.parent):
                return ancestor
        return stmt

    @cached_property
    def _sites_at_top(self) -> list[Stmt] | None:
        """The first of the lifted uses of CUDA in each suite; None where one is in a function."""
        found: dict[int, Stmt] = {}
        for site in self.facts.cuda.sites:
            if site.form == "definition":
                continue
            if site.stmt.scope is not self.tree.root:
                return None
            stmt = self._lifted(site.stmt)
            earlier = found.setdefault(id(stmt.suite), stmt)
            if stmt.index < earlier.index:
                found[id(stmt.suite)] = stmt
        return list(found.values())

    def _in_main_guard(self, stmts: Sequence[Stmt]) -> Stmt | None:
        """The first use inside ``if __name__ == "__main__":`` when there are no others."""
        root = self.tree.root
        if self._sites_at_top is None or any(s.scope is not root for s in stmts):
            return None
        lifted = [*map(self._lifted, stmts), *self._sites_at_top]
        first = min(lifted, key=lambda s: s.index)
        if first.parent is None or any(s.suite is not first.suite for s in lifted):
            return None
        return first

    def _serves(self, anchor: Stmt, stmts: Iterable[Stmt]) -> bool:
        """Whether code right after `anchor` runs before all of `stmts`."""
        for stmt in stmts:
            if stmt.scope is anchor.scope:
                if not dominates(anchor, stmt):
                    return False
            elif anchor.parent is not None and not self._reads_already(self._lifted_to_top(stmt), anchor):
                return False  # whoever imports the file has no such name
            elif self.called_before(stmt, anchor):
                return False
        return True

    def _lifted_to_top(self, stmt: Stmt) -> Stmt:
        """The top-level function or class around a statement."""
        while stmt.scope.parent is not None:
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    def _before_first(self, stmts: Sequence[Stmt]) -> tuple[Stmt, str, bool] | None:
        first = next((s for s in self.tree.root.body.stmts if not is_docstring(s) and not is_future(s)), None)
        return (
            (first, "before", False)
            if first is not None and all(s.scope is not self.tree.root or s is not first for s in stmts)
            else None
        )

    def _after_imports(self) -> Stmt | None:
        """The last statement of the imports at the head of the file, torch's among them."""
        return self._head

    @cached_property
    def _head(self) -> Stmt | None:
        last: Stmt | None = None
        others = 0
        torch = False
        for stmt in self.tree.root.body.stmts:
            node = stmt.node
            if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Try) and _imports_only(stmt)):
                if last is not None and others > 3 and torch:
                    break
                last, others = stmt, 0
                torch = torch or "torch" in self.facts.text(stmt)
            elif torch and isinstance(
                node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.With)
            ):
                break
            else:
                others += 1
        return last

    @cached_property
    def env_writes(self) -> list[Stmt]:
        """Statements that choose the visible GPUs: CUDA must not be asked before them."""
        star = self.tree.root.star_import
        found = [
            stmt
            for call, stmt, name in self.index.named
            if (name is not None or star) and self._chooses_elsewhere(call, stmt, name)
        ]
        if _VISIBLE not in self.tree.source.text:
            return found
        for stmt in self.tree.stmts.values():
            node = stmt.node
            if isinstance(node, (ast.Assign, ast.Expr, ast.AugAssign)) and _VISIBLE in self.facts.text(stmt):
                if isinstance(node, ast.Expr) and (
                    isinstance(node.value, ast.Constant) or not re.search(r"environ|putenv", self.facts.text(stmt))
                ):
                    continue
                if isinstance(node, ast.Assign) and not any(
                    "CUDA_VISIBLE" in self.tree.source.code(t) for t in node.targets
                ):
                    continue
                found.append(stmt)
        return found

    def chosen_after(self, stmt: Stmt) -> bool:
        """Whether the visible GPUs may be chosen only after a statement has run."""
        root = self.tree.root
        return any(not dominates(w, stmt) if w.scope is stmt.scope else stmt.scope is root for w in self.env_writes)

    def _chooses_elsewhere(self, call: ast.Call, stmt: Stmt, name: str | None) -> bool:
        """Whether a call of something imported, under its qualified name, may choose the visible GPUs: by its code, or by its
        name where that is not found."""
        if name is None:
            text = dotted(call.func) if self.tree.root.star_import else ""
            return _CHOOSES.match(text) is not None and stmt.scope.lookup(text) is None
        if name not in self._choosing:
            self._choosing[name] = not name.startswith("torch.") and self._chooses_by(name)
        return self._choosing[name]

    def _chooses_by(self, name: str) -> bool:
        """Whether the function or class of another file that is imported under a qualified name may choose the visible GPUs."""
        named = _CHOOSES.match(name.rpartition(".")[2]) is not None
        if self.home is None or not (named or self.home.mentions(name, _VISIBLE.encode())):
            return named
        found = self.home.find(name)
        if found is None or found.scope is None:
            return named
        tree, own = found.tree, found.tree.text(found.scope)
        writing = [n for n, function in tree.root.functions.items() if _VISIBLE in tree.text(function)]
        return _VISIBLE in own or any(n + "(" in own for n in writing)

    def _function_spot(
        self, home: Scope, stmts: Sequence[Stmt], flag: tuple[Test, bool] | None
    ) -> tuple[Stmt, str, bool] | None:
        """Before the first use in the function, out of its loops, where the flag is known."""
        writers = self._writers(flag, home)
        lifted = [self._lifted_to(home, s) for s in stmts]
        if writers is None or any(s is None for s in lifted):
            return None
        writers += [s for s in self.env_writes if s.scope is home]
        anchor = self._first(*lifted, self._first_companion(home, flag))
        assert anchor is not None
        for owner in list(anchor.ancestors()):
            if isinstance(owner.node, (ast.For, ast.While, ast.AsyncFor)) and owner is not anchor:
                if any(owner in w.ancestors() for w in writers):
                    break
                anchor = owner
        while anchor.parent is not None and self.facts.source.text.startswith("elif", self.facts.span(anchor).start):
            anchor = anchor.parent
        for writer in writers:
            pair = common(writer, anchor)
            if pair is None or pair[0].index >= pair[1].index:
                return None
        return anchor, "before", False

    def _lifted_to(self, home: Scope, stmt: Stmt) -> Stmt | None:
        """The statement of `home` that holds `stmt`, which may stand in a function inside."""
        while stmt.scope is not home:
            if stmt.scope.parent is None:
                return None
            stmt = self.tree.stmts[stmt.scope.node]  # type: ignore[index]
        return stmt

    @staticmethod
    def _first(*stmts: Stmt | None) -> Stmt | None:
        """The first of some statements of one scope, in the suite that holds all of them."""
        anchor: Stmt | None = None
        for stmt in stmts:
            pair = common(anchor, stmt) if anchor is not None and stmt is not None else None
            anchor = min(pair, key=lambda s: s.index) if pair is not None else anchor or stmt
        return anchor

    def _first_companion(self, home: Scope, flag: tuple[Test, bool] | None) -> Stmt | None:
        """That of a function's other hard-coded uses; found once for all of them."""
        slot = home, AVAILABLE if flag is None else condition(*flag)
        if slot not in self._before_companions:
            lifted = (self._lifted_to(home, s) for s in self._companions(home, flag))
            self._before_companions[slot] = self._first(*lifted)
        return self._before_companions[slot]

    def _companions(self, home: Scope, flag: tuple[Test, bool] | None) -> list[Stmt]:
        """The other hard-coded uses in a function that the same definition will serve."""
        key = AVAILABLE if flag is None else condition(*flag)
        found = []
        for site in self.facts.cuda.sites:
            if site.form == "definition" or not site.stmt.scope.within(home):
                continue
            if home.kind == "module" and site.stmt.scope is not home:
                continue
            guard = site.guard
            if guard is None:
                if self.key_at(site.stmt) == key:
                    found.append(site.stmt)
            elif guard.test is not None and condition(guard.test, guard.positive) == key:
                if site.form not in ("tensor", "cast") or self.facts.unguard.collapses(site):
                    found.append(guard.stmt)  # a type of CUDA tensors stays where its guard does
        return found


def _in_constructor(writer: Stmt, since: Stmt | None) -> bool:
    """Whether a statement stands in the constructor of the object whose other method `since` is of."""
    home, cls = writer.scope, writer.scope.parent
    if since is None or cls is None or cls.kind != "class" or home.name != "__init__":
        return False
    return since.scope is not home and since.scope.parent is cls


def _places(node: ast.AST) -> bool:
    return any(
        (
            isinstance(n, ast.Call)
            and isinstance(n.func, ast.Attribute)
            and n.func.attr in ("cuda", "to")
            and not _on_cpu(n)
        )
        or (isinstance(n, ast.Attribute) and n.attr in api.TENSOR_TYPES and dotted(n.value).endswith("cuda"))
        for n in walk(node)
    )


def _on_cpu(call: ast.Call) -> bool:
    """``x.to("cpu")``, ``x.to(torch.device("cpu"))``"""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Call) and first.args:
        first = first.args[0]
    return isinstance(first, ast.Constant) and first.value == "cpu"


def is_docstring(stmt: Stmt) -> bool:
    """Whether a statement is the first of its suite, and a string alone."""
    node = stmt.node
    return (
        stmt.index == 0
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def is_future(stmt: Stmt) -> bool:
    """Whether a statement is ``from __future__ import …``."""
    return isinstance(stmt.node, ast.ImportFrom) and stmt.node.module == "__future__"


def _imports_only(stmt: Stmt) -> bool:
    return all(
        isinstance(s.node, (ast.Import, ast.ImportFrom, ast.Assign, ast.Pass))
        for suite in stmt.suites
        for s in suite.stmts
    ) and any(isinstance(s.node, (ast.Import, ast.ImportFrom)) for suite in stmt.suites for s in suite.stmts)
