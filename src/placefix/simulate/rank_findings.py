"""The faults between the ranks of a run: they never meet, train different models, train on the same data, or in the same order in each epoch.
Imports no torch."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from placefix.simulate.culprit import place_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from placefix.simulate.request import Request

# Errors of gloo and of torch's store in a rank whose partner has gone.
_PARTNER_LEFT = re.compile(
    r"Connection closed by peer|Connection reset by peer|Broken pipe|failed to recv, got 0 bytes|"
    r"Connection was likely closed|recvValue failed|sendBytes failed"
)
# An error that ends the process: the other rank is in a collective with tensors of another size.
_OTHER_COLLECTIVE = "op.preamble.length"


@dataclass(frozen=True)
class RankFinding:
    """A fault that only several processes have. places: dicts with "rank", "file", "line" and "source"; a rank that has ended has none."""

    kind: str  # "never-meet", "unequal-parameters", "equal-data" or "equal-order"
    text: str
    places: list[dict[str, Any]] = field(default_factory=list)


def rank_findings(report: dict[str, Any], request: Request) -> list[RankFinding]:
    """The faults between the ranks of a run. request: of the run, which names the cells of a notebook."""
    meeting = _never_meet(report, request)
    if meeting is not None:
        return [meeting]
    ranks = sorted((part["group"] for part in report.get("children", ()) if part.get("group")), key=lambda g: g["rank"])
    if len(ranks) < 2 or len({rank["rank"] for rank in ranks}) != len(ranks):
        return []
    return [*_unequal_parameters(ranks, request), *_equal_data(ranks, request), *_equal_order(ranks, request)]


def is_partner_loss(text: str) -> bool:
    """Whether an error is the consequence of the end of another rank."""
    return _PARTNER_LEFT.search(text) is not None


# Ranks that never meet


def _never_meet(report: dict[str, Any], request: Request) -> RankFinding | None:
    """Ranks that wait for each other, or for one that has ended."""
    positions = {int(position["rank"]): position for position in report.get("positions", ())}
    if report["status"] == "deadlock":
        places = {rank: None if "ended" in row else row["where"] for rank, row in positions.items()}
        return _meeting(places, positions, request)
    parts = {int(part["rank"]): part for part in report.get("children", ()) if str(part.get("rank", "")).isdigit()}
    errors = {rank: part["error"] for rank, part in parts.items() if part.get("error")}
    if len(positions) < 2 or not errors or not all(is_partner_loss(error["text"]) for error in errors.values()):
        return None
    if any(part.get("status") == "stopped" for part in parts.values()):
        return None
    places = {
        rank: error["where"][-1] if error["where"] else positions[rank]["where"] for rank, error in errors.items()
    }
    others = set(positions) - set(errors)
    if _OTHER_COLLECTIVE in report.get("err", ""):
        return _meeting(places | {rank: positions[rank]["where"] for rank in others}, positions, request)
    ended = {rank for rank in others if rank in parts}
    return _meeting(places | dict.fromkeys(ended), positions, request) if ended else None


def _meeting(
    places: dict[int, dict[str, Any] | None], positions: dict[int, dict[str, Any]], request: Request
) -> RankFinding:
    """The finding about ranks in these places, None for those that have ended."""
    parts = []
    for rank, place in sorted(places.items()):
        parts.append(f"rank {rank} has ended" if place is None else f"rank {rank} waits in {_quoted(place, request)}")
    text = f"the ranks never meet: {', '.join(parts)}"
    for word in ("batches", "steps"):
        counts = {rank: positions[rank].get(word, 0) for rank in sorted(places)}
        if len(set(counts.values())) > 1:
            noun = "batches" if word == "batches" else "optimizer steps"
            text += f"; {noun} so far: " + ", ".join(f"{count} on rank {rank}" for rank, count in counts.items())
            break
    return RankFinding("never-meet", text, [_row(rank, place) for rank, place in sorted(places.items()) if place])


def _quoted(place: dict[str, Any], request: Request) -> str:
    return f"{place_name(place, request)} (`{place.get('source', '')}`)"


def _row(rank: int, place: dict[str, Any]) -> dict[str, Any]:
    return {"rank": rank, **{key: place.get(key) for key in ("file", "line", "source")}}


# Parameters that differ after the first step


def _unequal_parameters(ranks: Sequence[dict[str, Any]], request: Request) -> Iterator[RankFinding]:
    """Optimizers whose first step leaves other parameters on each rank."""
    for number in range(min(len(rank["optimizers"]) for rank in ranks)):
        optimizers = [rank["optimizers"][number] for rank in ranks]
        places = [optimizer["where"] for optimizer in optimizers]
        if None in places or len({(place["file"], place["line"]) for place in places}) > 1:
            continue  # each rank has a task for itself
        by_reason: dict[str, list[str]] = {}
        for name, rows in _common_parameters(optimizers):
            reason = _fault(rows, ranks)
            if reason:
                by_reason.setdefault(reason, []).append(name)
        for reason, names in by_reason.items():
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            text = (
                f"the ranks train different models: after the first step of {optimizers[0]['type']} in "
                f"{place_name(places[0], request)}, `{names[0]}`{more} differ{'' if more else 's'} between the ranks: {reason}"
            )
            rows = [_row(rank["rank"], place) for rank, place in zip(ranks, places, strict=True)]
            yield RankFinding("unequal-parameters", text, rows)


def _common_parameters(optimizers: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The parameters that the optimizers of all ranks have, each with the rows of the ranks."""
    tables = [{(row["name"], row["size"]): row for row in optimizer["parameters"]} for optimizer in optimizers]
    for key in tables[0]:
        rows = [table[key] for table in tables if key in table]
        if len(rows) == len(tables):
            yield key[0], rows


def _fault(rows: Sequence[dict[str, Any]], ranks: Sequence[dict[str, Any]]) -> str:
    """Why a parameter differs between ranks after the first step; empty if it does not, or may on purpose."""
    owners = {row["owner"] for row in rows}
    is_known = len(owners) == 1 and all(row.get("after") and row["before"] for row in rows)
    if not is_known or not _differs(rows, "after"):
        return ""
    group = next((set(row["group"]) for row in rows if row.get("group")), None)
    if group is not None and group != {rank["rank"] for rank in ranks}:
        return ""  # other ranks have another part of the model
    owner = next(iter(owners))
    return _FAULTS[owner] if owner else _fault_without_wrap(rows, ranks)


# By the owner of the parameter, as RankWatch records it.
_FAULTS = {
    "DistributedDataParallel": "DistributedDataParallel does not reduce their gradients",
    "beside": "they became part of the module after DistributedDataParallel wrapped it, which does not reduce their gradients",
    "sharded": "",
}


def _fault_without_wrap(rows: Sequence[dict[str, Any]], ranks: Sequence[dict[str, Any]]) -> str:
    """Why a parameter that no wrapper owns differs; empty if it may on purpose."""
    if any(rank["between_two"] or rank["in_subgroups"] for rank in ranks):
        return ""  # stages of a pipeline, or parts of a model
    begins_equal = not _differs(rows, "before")
    has_gradients = all(row["gradient"] for row in rows)
    if not begins_equal and has_gradients and not _differs(rows, "gradient"):
        return "their gradients are equal, but not their first values: use the same seed, or broadcast them"
    if any(rank["largest"] >= row["size"] for rank in ranks for row in rows):
        return ""  # the script may reduce them by itself, now or later
    if begins_equal:
        return "nothing reduces their gradients (DistributedDataParallel does)" if _data_differ(ranks) else ""
    # Each rank may train a model for itself; but then on all data.
    if not has_gradients or not _data_are_divided(ranks):
        return ""
    return "a DistributedSampler divides the data, but their first values differ and nothing reduces their gradients (DistributedDataParallel does both)"


def _differs(rows: Iterable[dict[str, Any]], key: str) -> bool:
    return len({row[key] for row in rows}) > 1


# Data


def _data_differ(ranks: Sequence[dict[str, Any]]) -> bool:
    """Whether the ranks train on different batches of the same loop."""
    return any(
        len({batch for batch in batches if batch}) > 1 for _, rows in _loops(ranks) for batches in _columns(rows)
    )


def _data_are_divided(ranks: Sequence[dict[str, Any]]) -> bool:
    """Whether each pass through a loop that trains has a part of the data for each of the ranks."""
    passes = [one for _, rows in _loops(ranks) for row in rows for one in row["passes"] if one["steps"]]
    return bool(passes) and all(one["parts"] == len(ranks) for one in passes)


def _loops(ranks: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The loops over loaders that train, on all ranks: the place, and the record of each rank."""
    tables = [
        {(loop["where"]["file"], loop["where"]["line"]): loop for loop in rank["loops"] if loop["steps"]}
        for rank in ranks
    ]
    for key, first in tables[0].items():
        rows = [table[key] for table in tables if key in table]
        if len(rows) == len(tables):
            yield first["where"], rows


def _columns(rows: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """The batches that the ranks take at the same time."""
    return list(zip(*(row["batches"] for row in rows), strict=False))


def _equal_data(ranks: Sequence[dict[str, Any]], request: Request) -> Iterator[RankFinding]:
    """Loops in which the ranks of one DistributedDataParallel train on the same batches."""
    groups = [row["group"] for rank in ranks for optimizer in rank["optimizers"] for row in optimizer["parameters"]
              if row["owner"] == "DistributedDataParallel"]  # fmt: skip
    if not groups or any(set(group) != {rank["rank"] for rank in ranks} for group in groups):
        return
    for place, rows in _loops(ranks):
        columns = _columns(rows)
        is_equal = all(batches[0] and len(set(batches)) == 1 for batches in columns)
        if is_equal and len({batches[0] for batches in columns}) > 1:  # constant data are no data set
            advice = "its IterableDataset has to choose by rank" if rows[0]["streams"] else "use a DistributedSampler"
            text = (
                f"the ranks train on the same data: the loop in {place_name(place, request)} takes the same "
                f"{len(columns)} batches on each rank; {advice}"
            )
            places = [_row(rank["rank"], row["where"]) for rank, row in zip(ranks, rows, strict=True)]
            yield RankFinding("equal-data", text, places)


def _equal_order(ranks: Sequence[dict[str, Any]], request: Request) -> Iterator[RankFinding]:
    """Loops that pass through a shuffling DistributedSampler more than once in one order."""
    for place, rows in _loops(ranks):
        counts = []
        for row in rows:
            orders = [tuple(one["order"]) for one in row["passes"] if one["steps"] and one["order"]]
            counts.append(max((orders.count(order) for order in orders), default=0))
        if min(counts) > 1:
            text = (
                f"the order of the data is the same in each epoch: the loop in {place_name(place, request)} passes {min(counts)} times "
                "through a DistributedSampler in one order; call its `set_epoch(epoch)` before each pass"
            )
            places = [_row(rank["rank"], row["where"]) for rank, row in zip(ranks, rows, strict=True)]
            yield RankFinding("equal-order", text, places)
