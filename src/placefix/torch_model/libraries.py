"""Functions and objects of other libraries that make, hold or move tensors: the rows of `libraries.tsv`.

classes     the qualified names that make such an object, with `*` for any characters; for the member `=`: those of functions
members     names of methods and attributes; () the object itself, called; = the result of the function
result      tensor (a new one of the CPU), tensor,number (a tuple of both), encoding (a BatchEncoding of such), held (the tensors that the object
            holds), self (the object, which was moved in place), read (nothing is changed), input (a tensor on the device of the argument), call (as of calling the object), own (a tensor on
            the device of the object), module, optimizer and scheduler (over the first argument),
            entry (an entry of the registry), made (the result of calling one),
            array (an array of numpy with a dimension), like (an array with as many dimensions as the argument), host (nothing is known of it, but a tensor,
            or a list of tensors, is read from the memory of the host), hosts (the same of a list of tensors alone), written (the object is changed),
            graph (an object that holds the tensors it is made of), graphs (a loader of such), graphset (a data set of such), images (a data set of images with the index of a class), none (in spite of a row below)
condition   keyword=value: only with this argument; part: as the transforms in the list that the constructor gets; empty: always
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import NamedTuple

BATCH_ENCODING = "transformers.BatchEncoding"
GRAPH = "torch_geometric.data.Data"
ARRAY = "numpy.ndarray"
CALL = "()"
RESULT = "="


class Member(NamedTuple):
    """A method or attribute of objects of a library."""

    result: str
    keyword: str  # of an argument that a call must have, or ""
    value: str  # of that argument
    of_part: bool  # only as the transforms that the constructor gets do


@cache
def _rows() -> dict[str, list[tuple[str, Member]]]:
    """The members by name, each with the pattern of the names of its class."""
    with open(os.path.join(os.path.dirname(__file__), "libraries.tsv"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    found: dict[str, dict[str, Member]] = {}
    for line in lines:
        if line.startswith(("#", "classes\t")) or not line:
            continue
        classes, members, result, condition, _ = line.split("\t")
        keyword, given, value = condition.partition("=")
        row = Member(result, keyword if given else "", value, condition == "part")
        for name in filter(None, classes.split(" ")):
            found.setdefault(name, {}).update(dict.fromkeys(members.split(" "), row))
    by_name: dict[str, list[tuple[str, Member]]] = {}
    for pattern, members_of in found.items():
        for name, row in members_of.items():
            by_name.setdefault(name, []).append((pattern, row))
    return by_name


@lru_cache(maxsize=8192)
def member(owner: str, name: str) -> Member | None:
    """The member `name` of the objects that a class with the qualified name `owner` makes; None for others."""
    rows = _rows().get(name, ())
    return next(
        (row for pattern, row in rows if owner.startswith(_beginning(pattern)) and fnmatchcase(owner, pattern)), None
    )


@cache
def _beginning(pattern: str) -> str:
    """The part of a pattern before the first character of any kind: most names are compared with that alone, for speed."""
    return pattern.partition("*")[0].partition("[")[0]


def result_of(name: str) -> str:
    """The result of calling a function or class, by its qualified name; "" for others."""
    found = member(name, RESULT)
    return found.result if found is not None else ""


def result_with(keyword: str, name: str) -> str:
    """The result of a member `name` of objects of any class that have a row for this keyword; "" if none has."""
    return next((row.result for _, row in _rows().get(name, ()) if row.keyword == keyword), "")


def gives_tensor(owner: str | None) -> bool:
    """Whether an object that `owner` makes returns a tensor on the CPU whenever it is called: ``ToTensor()``."""
    found = member(owner, CALL) if owner is not None else None
    return found is not None and found.result == "tensor" and not found.keyword and not found.of_part
