"""Code that is nested deeper than Python's limit on recursion allows: analysed once more, in a thread with a larger stack.

Python compiles a sum of a thousand terms or a thousand `elif` arms; walks over its tree take several calls for each level.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Result = TypeVar("_Result")

_STACK = 512 << 20  # bytes of address space; memory is allocated on use
_LIMIT = 50_000  # calls: 10 KiB of that stack for each, more than any takes

_deep = threading.local()


def retry_deeper(call: Callable[[], _Result]) -> _Result:
    """The result of `call`; after a RecursionError it is called again with a larger stack.

    Raises the exceptions of `call`; a RecursionError if the larger stack is not enough either.
    """
    if _is_deep():
        return call()
    try:
        return call()
    except RecursionError:
        pass
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        """Call the function and store its result or its exception."""
        _deep.active = True
        try:
            results.append(call())
        except BaseException as error:  # it is raised where the result is waited for
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, _LIMIT))
    try:
        thread = threading.Thread(target=run, name="deep")
        thread.start()
        thread.join()
    except RuntimeError:  # no address space for the stack
        raise RecursionError("maximum recursion depth exceeded") from None
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]


def final_recursion_errors() -> tuple[type[RecursionError], ...]:
    """The exceptions that an ``except`` clause may answer where code nests too deeply: RecursionError in the call with the larger stack; none
    before it, so that `retry_deeper` calls again."""
    return (RecursionError,) if _is_deep() else ()


def _is_deep() -> bool:
    """Whether this is the call with the larger stack."""
    return getattr(_deep, "active", False)
