"""The repository around a file: the definitions of names imported from its other files.

`Project` reads nothing by itself: the caller passes `Files`. A file is read
and parsed when a name imported from it is looked up, once in a run, with its content at the start of
the run; nothing is ever executed. An uncertain definition is not found: two files
that could be meant, a name bound twice, a star import, a file that cannot be parsed.
"""

from __future__ import annotations

import ast
import sys
from os.path import dirname, join
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from placefix.byte_patterns import in_bytes, module_stem
from placefix.facts.program.assignments import literal_names
from placefix.facts.program.file_questions import RecordedFiles
from placefix.facts.program.tree import Tree
from placefix.facts.torch_api import CUSTOMARY_IMPORTS
from placefix.parsing import parse_quietly
from placefix.source import Source, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeGuard

    from placefix.facts.program.file_questions import Files, Question
    from placefix.facts.program.tree import Scope

_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")

# A folder that holds one of these is the root of a repository.
MARKERS = (".git", "pyproject.toml", "setup.py")
MAX_SIZE = 400_000  # bytes of a file that is still parsed for another one's sake
MAX_HOPS = 8  # re-exports that are followed for one name
_MAX_FOLDERS = 16  # between a file and the root of its repository
_IMPORT = r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+(\w[\w., \t]*))"
_IMPORT_STATEMENT = r"^[ \t]*(?:from|import)\b[^\n(]*(?:\([^)]*)?"
IMPORTS_BY_NAME = r"""import_(?:(?<=\bimport_)module|(?<=\b__import_)_)[ \t]*\([ \t]*[^"' \t\n]"""
MAX_FILES = 40  # that are parsed for the sake of one
_MAX_KEPT = (
    1_000_000  # characters of source whose trees are kept from file to file; a tree takes some eighty times that
)
FOREIGN = sys.stdlib_module_names | {"torch", "torchvision", "torchaudio", "numpy"}


DefinitionKind = Literal["class", "function", "value"]


class Definition(NamedTuple):
    """The definition of a name in another file: a class or function (`scope`), or a value.

    tree: the tree of its file. value: the expression, for kind "value".
    """

    kind: DefinitionKind
    tree: Tree
    scope: Scope | None = None
    value: ast.expr | None = None


class _Module(NamedTuple):
    """A module or package of the repository: its file ("" for a folder without __init__.py) and its folder."""

    file: str
    folder: str  # of a package, else ""


class Project:
    """The repositories of one run.

    files: the file system. scanned: the searched folders: each is the root of files without MARKERS that are in no package.
    """

    def __init__(self, files: Files, scanned: tuple[str, ...] = ()) -> None:
        self.files = RecordedFiles(files)
        self._scanned = scanned
        self._trees: dict[str, Tree | None] = {}  # the oldest first
        self._kept = 0
        self._asked: set[str] = set()  # files that the one under analysis has looked up
        self.meant: dict[
            tuple[str, str], _Module | None
        ] = {}  # the module that the first part of an import means, for these files
        # the definitions that the file under analysis has looked up, by the file of the import and its name
        self.definitions: dict[tuple[str, str, bool], tuple[Definition | None, set[Question]]] = {}
        # answers that are kept, each with the questions that led to it
        self._roots: dict[str, tuple[str, set[Question]]] = {}
        self._folders: dict[str, tuple[tuple[str, ...], set[Question]]] = {}
        self._children: dict[tuple[str, str], tuple[_Module | None, set[Question]]] = {}
        self._tops: dict[tuple[str, str], tuple[tuple[_Module, ...], set[Question]]] = {}
        self._others: dict[object, tuple[Any, set[Question]]] = {}

    def home(self, path: str) -> Home:
        """The place of the file at the absolute `path`, which is analysed next: no earlier one is being."""
        self._asked.clear()
        self.meant.clear()
        self.files.begin()
        self._forget()
        return Home(self, path)

    def consulted(self) -> frozenset[Question]:
        """All questions about other files since the last `home`."""
        return frozenset(self.files.asked)

    def kept(self, table: dict[_Key, tuple[_Answer, set[Question]]], key: _Key, find: Callable[[], _Answer]) -> _Answer:
        """The answer in `table`, computed if it is missing; the questions it depends on are recorded either way."""
        if key not in table:
            before, self.files.asked = self.files.asked, set()
            try:
                answer = find()
            finally:
                mine, self.files.asked = self.files.asked, before
            table[key] = answer, mine
        answer, rests_on = table[key]
        self.files.asked |= rests_on
        return answer

    def remembered(self, key: object, find: Callable[[], _Answer]) -> _Answer:
        """An answer that is computed once in a run, for all callers; it depends on the questions of `find` about files."""
        found: _Answer = self.kept(self._others, key, find)
        return found

    def _forget(self) -> None:
        """Drop the oldest of the trees that are kept, and the answers about definitions."""
        self.definitions.clear()
        while self._kept > _MAX_KEPT and self._trees:
            oldest = self._trees.pop(next(iter(self._trees)))
            if oldest is not None:
                self._kept -= len(oldest.source.text)
                oldest.release()

    def root(self, folder: str) -> str:
        """The top folder of the repository around `folder`."""
        return self.kept(self._roots, folder, lambda: self._root(folder))

    def _root(self, folder: str) -> str:
        here, package = folder, folder
        for _ in range(_MAX_FOLDERS):
            if any(self.files.is_file(join(here, m)) or self.files.is_folder(join(here, m)) for m in MARKERS):
                return here
            inner = self.files.is_file(join(here, "__init__.py"))
            if package == here and inner:
                package = dirname(here)
            if (here in self._scanned and not inner) or dirname(here) == here:
                break  # a part of a package is searched: its imports are resolved above it
            here = dirname(here)
        inside = [s for s in self._scanned if folder == s or folder.startswith(s.rstrip("/\\") + "/")]
        return min([package, *inside], key=len)

    def folders(self, own: str) -> tuple[str, ...]:
        """Where files of the folder `own` may import from."""
        return self.kept(self._folders, own, lambda: tuple(self._above(own)))

    def _above(self, own: str) -> Iterator[str]:
        root = self.root(own)
        folder = own
        for _ in range(_MAX_FOLDERS):
            yield folder
            if folder == root or dirname(folder) == folder:
                break
            folder = dirname(folder)
        yield join(root, "src")

    def child(self, folder: str, name: str) -> _Module | None:
        """The module `name` of a folder; None where there is none."""
        return self.kept(self._children, (folder, name), lambda: self._child(folder, name))

    def _child(self, folder: str, name: str) -> _Module | None:
        path = join(folder, name)
        if self.files.is_folder(path):
            init = join(path, "__init__.py")
            if self.files.is_file(init):
                return _Module(init, path)  # a package goes before a module of its name
            if not self.files.is_file(path + ".py"):
                return _Module("", path)
        return _Module(path + ".py", "") if self.files.is_file(path + ".py") else None

    def tops(self, own: str, name: str) -> tuple[_Module, ...]:
        """The modules that ``import name`` may mean in a file of the folder `own`, the nearest first."""
        return self.kept(
            self._tops,
            (own, name),
            lambda: tuple(m for f in self.folders(own) if (m := self.child(f, name)) is not None),
        )

    def tree(self, path: str, *, frameworks: bool = False) -> Tree | None:
        """The tree of a file, None if it cannot be read or parsed or is too large. frameworks: also of a file that leaves placement to a
        framework."""
        tree = self._tree(path)
        return tree if tree is None or frameworks or not tree.framework else None

    def _tree(self, path: str) -> Tree | None:
        if path not in self._asked and len(self._asked) >= MAX_FILES:
            return None
        self._asked.add(path)
        if path in self._trees:
            self.files.asked.add(("read", path))
            found = self._trees[path] = self._trees.pop(path)
            return found
        tree = self._trees[path] = self._parse(path)
        self._kept += len(tree.source.text) if tree is not None else 0
        return tree

    def _parse(self, path: str) -> Tree | None:
        data = self.files.read(path)
        if data is None or len(data) > MAX_SIZE:
            return None
        try:
            source = Source.from_bytes(data, path)
            return Tree(source, parse_quietly(source.text), Home(self, path))
        except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None


class Home(NamedTuple):
    """A file's place in its project: from here, names of imports are looked up.

    frameworks: also in files that leave placement to a framework, of which the places of values are unknown.
    """

    project: Project
    path: str
    frameworks: bool = False

    def find(self, name: str) -> Definition | None:
        """The definition of an import's dotted name in this file (``models.Net``, ``.utils.helper``);
        None unless one file of the same repository certainly defines it."""
        head, dot, _ = name.partition(".")
        if not dot or head in FOREIGN:
            return None  # a module, a builtin, or a name of no repository, as most names are
        key = self.path, name, self.frameworks
        return self.project.kept(self.project.definitions, key, lambda: self._find(name, 0))

    def starred(self, tree: Tree, name: str, hops: int = 0, followed: set[str] | None = None) -> str | None:
        """The dotted name that a name of this file (`tree`) denotes by its star imports: ``torch.nn``, ``.nets.Net``; "" if none of them has it,
        None if that is not certain. followed: the files that have been searched for the name: files may import each other.
        A star import that is not seen leaves a customary name the usual meaning that another one gives it."""
        if hops > MAX_HOPS:
            return None
        followed = {self.path} if followed is None else followed
        found = {self._exported(base, name, hops, followed) for base in dict.fromkeys(tree.stars)}
        named = {full for full in found if full}
        if None in found and named != {CUSTOMARY_IMPORTS.get(name)}:
            return None
        return named.pop() if len(named) == 1 else None if named else ""

    def file_of(self, base: str) -> str:
        """The file of a module of the repository, by its dotted name in an import; "" if it has none."""
        module, parts = self._start(base)
        for part in parts:
            module = self.project.child(module.folder, part) if module is not None and module.folder else None
        return module.file if module is not None else ""

    def _exported(self, base: str, name: str, hops: int, followed: set[str]) -> str | None:
        """`starred` for one import: ``from base import *``."""
        file = self.file_of(base)
        if file in followed:
            return ""
        tree = self.project.tree(file, frameworks=True) if file else None
        if tree is None or tree.home is None:
            return None
        followed.add(file)
        public = _is_public(tree, name)
        if not public:
            return None if public is None else ""
        if name not in tree.root.bindings:
            inner = tree.home.starred(tree, name, hops + 1, followed) if tree.stars else ""
            if not inner or (not inner.startswith(".") and not tree.home.has(inner)):
                return inner
        elif name in tree.root.imports:
            full = tree.import_of(name, tree.root)
            if full is None or (not full.startswith(".") and not tree.home.has(full)):
                return full
        return f"{base}{name}" if base.endswith(".") else f"{base}.{name}"

    def members(self, name: str) -> tuple[Scope, ...]:
        """The classes and functions of the repository that are public names of a module, by its dotted name in imports of this file; none
        where it is no module of the repository, or may have others."""
        return tuple(dict.fromkeys(self._members(name, 0)))

    def _members(self, name: str, hops: int) -> Iterator[Scope]:
        module, parts = self._start(name)
        for part in parts if name.strip(".") else ():
            module = self.project.child(module.folder, part) if module is not None and module.folder else None
        tree = self.project.tree(module.file) if module is not None and module.file and hops <= MAX_HOPS else None
        if tree is None or tree.home is None:
            return
        for bound in tree.root.bindings:
            found = tree.home._bound(tree, bound, hops) if _is_public(tree, bound) else None
            if found is not None and found.scope is not None:
                yield found.scope
        for base in dict.fromkeys(tree.stars):
            yield from tree.home._members(base, hops + 1)

    def mentions(self, name: str, word: bytes) -> bool:
        """Whether a file of the repository through which the dotted name of an import leads holds a word, as far as the
        names are those of modules."""
        module, parts = self._start(name)
        while module is not None:
            data = self.project.files.read(module.file) if module.file else None
            if data is not None and word in data:
                return True
            module = self.project.child(module.folder, parts.pop(0)) if module.folder and parts else None
        return False

    def holding(self, pattern: str, within: str = "") -> tuple[str, ...]:
        """The Python files and notebooks of the repository, this one among them, whose code a multi-line regular expression (ASCII) matches:
        the whole of it is searched, once in a run for each pattern. within: search only the parts that this expression matches, which is
        faster if many patterns search the same parts."""
        return self.project.files.holding(self.project.root(dirname(self.path)), pattern, within)

    def sharing(self, pattern: str) -> tuple[str, ...]:
        """Those of `holding`, but for this one, that may run in one process with it: that import a file of the repository, or that
        one may import."""
        return tuple(file for file in self.holding(pattern) if file != self.path and self.shares(file))

    def shares(self, file: str) -> bool:
        """Whether a file of the repository imports another one of it, or one may import it."""
        there = self._replace(path=file)
        return self.project.remembered(
            ("shares", file), lambda: any(map(there.has, there.mentioned())) or bool(self.importers(file))
        )

    def mentioned(self, until: int | None = None) -> Iterator[str]:
        """The modules that the file's import statements name first, by its bytes up to an offset."""
        data = self.project.files.read(self.path) or b""
        for found in in_bytes(_IMPORT).finditer(data, 0, len(data) if until is None else until):
            for name in (found[1] or found[2]).decode("ascii", "replace").split(","):
                yield name.partition(" as ")[0].strip()

    def importers(self, file: str, *, computed: bool = True) -> tuple[str, ...]:
        """The other files of the repository that may import one of its files, by the names in their import statements; those that
        import by computed names may import any, and are left out without `computed`."""
        stem = module_stem(file)
        if not stem:
            return self.holding(r"\bimport\b")
        found = {*self.holding(rf"\b{stem}\b", within=_IMPORT_STATEMENT)}
        found |= {*self.holding(IMPORTS_BY_NAME)} if computed else set()
        return tuple(sorted(found - {file}))

    def has(self, name: str) -> bool:
        """Whether the dotted name of an import begins with a module of the repository."""
        return self._start(name)[0] is not None

    def _find(self, name: str, hops: int) -> Definition | None:
        if hops > MAX_HOPS:
            return None
        module, parts = self._start(name)
        return self._walk(module, parts, hops) if module is not None else None

    def _start(self, name: str) -> tuple[_Module | None, list[str]]:
        """The module that the dotted name of an import begins with, and the names that follow."""
        rest = name.lstrip(".")
        level = len(name) - len(rest)
        parts = rest.split(".") if rest else []
        if level:
            folder = dirname(self.path)
            for _ in range(level - 1):
                folder = dirname(folder)
            init = join(folder, "__init__.py")
            return _Module(init if self.project.files.is_file(init) else "", folder), parts
        if not parts or parts[0] in FOREIGN:
            return None, []
        return self._top(parts.pop(0)), parts

    def _walk(self, module: _Module, parts: list[str], hops: int) -> Definition | None:
        """Follow `parts` from a module: names bound in a package's code precede its modules."""
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            inner = self.project.child(module.folder, part) if module.folder else None
            if module.file and module.file != self.path:
                tree = self._mentions(module.file, part)
                if tree is not None and part in tree.root.bindings:
                    found = self._bound(tree, part, hops)
                    if found is None and inner is not None and self._itself(tree, part):
                        module = inner  # from . import part
                        continue
                    return found if last else None
                if tree is not None and tree.root.star_import and inner is None:
                    full = tree.home.starred(tree, part, hops + 1) if tree.home is not None else None
                    return self._beyond(tree, full, hops) if full and last else None
            if inner is None:
                return None
            module = inner
        return None

    def _mentions(self, file: str, name: str) -> Tree | None:
        """The tree of `file` if the name occurs in it at all, or may come from a star import."""
        data = self.project.files.read(file)
        found = data is not None and (name.encode() in data or b"import *" in data)
        return self.project.tree(file, frameworks=self.frameworks) if found else None

    def _beyond(self, tree: Tree, name: str, hops: int) -> Definition | None:
        """The definition of an import's dotted name in another file."""
        home = tree.home
        return home._replace(frameworks=self.frameworks)._find(name, hops + 1) if home is not None else None

    @staticmethod
    def _itself(tree: Tree, name: str) -> bool:
        """Whether a package binds `name` by importing its own module of that name: ``from . import name``, ``from package import name``."""
        (full, *others) = tree.root.imports.get(name, ("",))
        package, _, module = full.rpartition(".")
        if others or module != name or len(tree.root.bindings[name]) != 1:
            return False
        return not package or (tree.home is not None and tree.home.file_of(package) == tree.home.path)

    def _bound(self, tree: Tree, name: str, hops: int) -> Definition | None:
        root = tree.root
        bindings = root.bindings[name]
        if name in root.imports:
            full = tree.import_of(name, root)
            return self._beyond(tree, full, hops) if full is not None else None
        if len(bindings) != 1:
            either = either_of(tree, name) if not root.star_import else None
            return Definition("value", tree, value=either) if either is not None else None
        node = bindings[0]
        if root.star_import and _star_below(tree, node):
            return None
        if isinstance(node, ast.ClassDef):
            return Definition("class", tree, scope=root.classes[name])
        if isinstance(node, ast.FunctionDef):
            return Definition("function", tree, scope=root.functions[name])
        if isinstance(node, ast.Assign) and tree.stmts[node].parent is None:
            plain = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
            return Definition("value", tree, value=node.value) if plain else None
        return None

    def _top(self, name: str) -> _Module | None:
        """The module that ``import name`` means here, as found out once for a file under analysis."""
        meant = self.project.meant
        key = self.path, name
        if key not in meant:
            meant[key] = self._meant(name)
        return meant[key]

    def _meant(self, name: str) -> _Module | None:
        """The script's own folder goes first, then the folders above up to the repository's, and its src; where two
        of them have such a module, it is not known."""
        own = dirname(self.path)
        found = self.project.tops(own, name)
        found = tuple(m for m in found if m.file) or found  # a folder without __init__.py comes last
        if len(found) > 1:
            found = tuple(m for m in found if m.file != self.path)  # no file imports itself
        if len(found) > 1 and self.project.child(own, name) == found[0] and self._script():
            return found[0]
        return found[0] if len(set(found)) == 1 else None

    def _script(self) -> bool:
        data = self.project.files.read(self.path)
        return data is not None and b"__main__" in data


def _is_public(tree: Tree, name: str) -> bool | None:
    """Whether a star import of a file binds a name that the file has; None if that is unknown."""
    if "__all__" not in tree.root.bindings:
        return not name.startswith("_")
    listed = literal_names(tree.root.bindings["__all__"]) if "__all__." not in tree.source.text else None
    return name in listed if listed is not None else None


def either_of(tree: Tree, name: str) -> ast.IfExp | None:
    """The value of a name that both arms of an `if` of the module level bind, or one arm after a binding
    further up, as an equivalent conditional expression. None for a name with any other bindings."""
    bindings = tree.root.bindings.get(name, ())
    if len(bindings) != 2:
        return None
    one, two = bindings
    if not (_binds_one(one) and _binds_one(two)):
        return None
    first, second = tree.stmts[one], tree.stmts[two]
    guard = second.parent
    if guard is None or guard.parent is not None or not isinstance(guard.node, ast.If):
        return None
    if first.parent is guard:
        arms = (one.value, two.value) if (first.suite.arm, second.suite.arm) == ("body", "orelse") else None
    else:
        above = first.parent is None and first.index < guard.index
        arms = (two.value, one.value) if above and second.suite.arm == "body" else None
    if arms is None or any(isinstance(part, ast.NamedExpr) for part in ast.walk(guard.node.test)):
        return None
    return ast.copy_location(ast.IfExp(guard.node.test, *arms), guard.node.test)


def _binds_one(node: ast.AST) -> TypeGuard[ast.Assign]:
    """Whether a statement binds one name to one value."""
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def _star_below(tree: Tree, node: ast.AST) -> bool:
    """Whether a star import further down may rebind the name."""
    return any(
        isinstance(s.node, ast.ImportFrom) and s.node.names[0].name == "*" and s.node.lineno > node.lineno  # type: ignore[attr-defined]
        for s in tree.stmts.values()
        if s.scope is tree.root
    )
