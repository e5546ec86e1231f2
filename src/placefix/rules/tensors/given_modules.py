"""Parameters of a constructor that are lists or dicts of modules, by their annotations, or by their types in its docstring or that of the class;
``*layers`` also by its name.

Without an annotation, another parameter may be a ModuleList.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from placefix.facts import torch_api as api
from placefix.facts.interpret.class_summaries import class_info
from placefix.facts.naming import names_class, names_modules
from placefix.facts.program.ast_names import dotted, last_name
from placefix.facts.program.ast_walk import walk
from placefix.facts.program.callees import class_of

if TYPE_CHECKING:
    from placefix.facts.interpret.values import ClassInfo
    from placefix.facts.program.tree import Scope

_LISTS = frozenset(("List", "list", "Sequence", "Iterable", "Collection", "Tuple", "tuple"))
_DICTS = frozenset(("Dict", "dict", "Mapping", "OrderedDict"))


class GivenModules:
    """Answers for one function: the kind of container and the type of the elements of each parameter that holds modules.

    read: whether classes of other files are known; if not, any imported class may be one of modules.
    """

    def __init__(self, init: Scope, infos: dict[Scope, ClassInfo], *, read: bool) -> None:
        self._init = init
        self._read = read
        self._infos = infos
        args = init.function.args
        self.kinds: dict[str, str] = {}
        self.elements: dict[str, ast.expr] = {}
        self.named: list[ast.expr] = []  # those that only the name of the parameter shows to be modules
        for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
            self._add(arg, *self._annotated(arg))
        if args.vararg is not None:
            each = args.vararg.annotation
            self._add(args.vararg, "ModuleList" if each is None or self._is_module_type(each) else "", each)

    def _add(self, arg: ast.arg, kind: str, each: ast.expr | None) -> None:
        if kind and each is None and names_modules(arg.arg):
            each = ast.copy_location(ast.Name(arg.arg, ast.Load()), arg)
            self.named.append(each)
        if kind and each is not None:
            self.kinds[arg.arg] = kind
            self.elements[arg.arg] = each

    def _annotated(self, arg: ast.arg) -> tuple[str, ast.expr | None]:
        """The kind of container that a parameter is, and the type of an element, if it has an annotation."""
        given = arg.annotation or self._documented(arg)
        if not isinstance(given, ast.Subscript):
            return "", None
        types = given.slice.elts if isinstance(given.slice, ast.Tuple) else [given.slice]
        name = last_name(given.value)
        if name in _LISTS and self._is_module_type(types[0]):
            return "ModuleList", types[0]
        if name in _DICTS and len(types) == 2 and self._is_module_type(types[1]):
            return "ModuleDict", types[1]
        return "", None

    def _documented(self, arg: ast.arg) -> ast.expr | None:
        """The type that a docstring gives a parameter, as an expression: of ``layers (`list[Block]`):``."""
        cls = self._init.cls
        texts = [ast.get_docstring(scope.node) for scope in (self._init, cls) if scope is not None]
        for text in filter(None, texts):
            found = re.search(rf"^\s*{arg.arg}\s*\(`*(\w+\[[\w., ]+\])`*", text, re.MULTILINE)
            if found is None:
                continue
            try:
                given: ast.expr = ast.parse(found[1], mode="eval").body
            except SyntaxError:  # prose: ``list[dense features]``
                continue
            for node in walk(given):
                ast.copy_location(node, arg)
            return given
        return None

    def _is_module_type(self, annotation: ast.expr) -> bool:
        """Whether a type is a class of modules, of torch or of the repository."""
        if not dotted(annotation):
            return False
        name = self._init.tree.qualname(annotation, self._init) or ""
        if name in api.MODULE_BASES or api.is_module_base(name):
            return True
        found = class_of(self._init, annotation)
        if found is None and not self._read:
            return "." in name and names_class(dotted(annotation))
        return found is not None and class_info(found, self._infos).is_module
