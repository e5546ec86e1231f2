"""What start-up does not pay for."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    # typing.NamedTuple compiles every annotation and a constructor when the class is made: 0.2 ms each,
    # and most runs have instances of few. These are the same, but that the annotations stay text and
    # the constructor is compiled by its first call.

    try:
        from _collections import _tuplegetter as _getter
    except ImportError:  # not CPython
        from operator import itemgetter

        def _getter(index, doc):
            return property(itemgetter(index), doc=doc)

    class _NamedTupleMeta(type):
        """What `class X(NamedTuple)` makes is a plain subclass of tuple, no instance of this."""

        def __new__(cls, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            body.pop("__orig_bases__", None)
            getters = {field: _getter(index, f"Field {index}") for index, field in enumerate(fields)}
            own = {"_fields": fields, "__match_args__": fields, "_field_defaults": defaults}
            return type(name, (tuple,), {**_RECORD, **own, **getters, **body})

    def _new(cls, /, *values, **named):
        """Compiles the constructor of the class, and calls it."""
        names = ", ".join(cls._fields)
        made = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})
        made.__defaults__ = tuple(cls._field_defaults.values())
        cls.__new__ = staticmethod(made)
        return cls(*values, **named)

    def _replace(self, /, **changes):
        """A record with other values for some of the fields."""
        made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise TypeError(f"no such fields: {', '.join(changes)}")
        return made

    def _asdict(self, /):
        """The values by the names of their fields."""
        return dict(zip(self._fields, self))

    def _values(self, /):
        return tuple(self)

    def _repr(self, /):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self))})"

    _RECORD = {
        "__slots__": (),
        "__new__": _new,
        "__repr__": _repr,
        "__getnewargs__": _values,
        "_make": classmethod(tuple.__new__),
        "_replace": _replace,
        "_asdict": _asdict,
    }

    def NamedTuple():  # noqa: N802
        raise TypeError("NamedTuple is a base class")

    _BASES = (type.__new__(_NamedTupleMeta, "NamedTuple", (), {}),)
    NamedTuple.__mro_entries__ = lambda bases: _BASES  # a base class for the class statement alone

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Pattern:
    """Stands for a compiled pattern, and has its methods from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression, compiled when it is first used: most runs use few of them."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))


@cache
def in_bytes(pattern: str) -> re.Pattern[bytes]:
    """A multi-line pattern (ASCII) over the bytes of a file, compiled when it is first asked for."""
    return re.compile(pattern.encode("ascii"), re.MULTILINE)


BEGINS = r"(?<!\w"


def word(name: str) -> str:
    """A pattern for the beginning of a word: one that starts with the word is found ten times faster than one that starts with `\\b`."""
    return f"{name}{BEGINS}{name})"


class Late(NamedTuple):
    """A function of a module that is loaded when it is called."""

    module: str
    function: str

    def __call__(self, *args: Any) -> Any:
        return getattr(import_module(self.module), self.function)(*args)

    @property
    def documentation(self) -> str:
        """The module's docstring."""
        return import_module(self.module).__doc__ or ""
