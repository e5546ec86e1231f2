"""Write down anew what placefix does to the corpus, for review.

    python corpus/update.py                  # expected.tsv and the diffs of scripts and repositories
    python corpus/update.py --scripts        # only the diffs of scripts and repositories; needs no network
    python corpus/update.py --diff NAME…     # print the diff of members or scripts whose name holds NAME
    python corpus/update.py --intent         # where the tool disagrees with scripts/INTENT.tsv

Run it after a change of the rules, read `git diff corpus`, and commit what is right.
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from corpus import fetch, judge

from placefix.report.diff import patch

if TYPE_CHECKING:
    from collections.abc import Sequence


def update_scripts() -> None:
    """Write NAME.diff beside each script that changes and each repository, remove every other of a script."""
    intents = judge.read_intents()
    for orphan in set(judge.SCRIPTS.glob("*.diff")) - {intent.diff for intent in intents}:
        orphan.unlink()
        print(f"{orphan.name}: removed")
    for intent in intents:
        diff = judge.script_diff(intent.path)
        if diff and (not intent.diff.exists() or intent.diff.read_bytes() != diff):
            intent.diff.write_bytes(diff)
            print(f"{intent.diff.name}: written")
        elif not diff and intent.diff.exists():
            intent.diff.unlink()
            print(f"{intent.diff.name}: removed")
    for folder in judge.repositories():
        path, diff = folder.with_suffix(".diff"), judge.repository_diff(folder)
        if not path.exists() or path.read_bytes() != diff:
            path.write_bytes(diff)
            print(f"{path.name}: written")


def update_core() -> None:
    """Write expected.tsv and print the rows that changed."""
    archives = fetch.fetch()
    members = {member.name: data for member, data in fetch.read_members(archives)}
    with ProcessPoolExecutor() as pool:
        verdicts = list(pool.map(judge.judge, members, members.values(), chunksize=8))
    before = judge.read_expected()
    for verdict in verdicts:
        old = before.get(verdict.member)
        if old != verdict:
            print(f"- {old.row()}" if old else "- (new)", f"+ {verdict.row()}", sep="\n")
    judge.write_expected(verdicts)
    print(f"{len(verdicts)} members: " + judge.join_counts(Counter(v.outcome for v in verdicts)))


def show(names: Sequence[str]) -> None:
    """Print the diffs of the members and scripts whose names hold one of `names`."""
    files = {intent.script: intent.path.read_bytes() for intent in judge.read_intents()}
    wanted = {name: data for name, data in files.items() if any(part in name for part in names)}
    if not wanted:
        archives = fetch.fetch()
        for member, data in fetch.read_members(archives):
            if any(part in member.name for part in names):
                wanted[member.name] = data
    for name, data in wanted.items():
        after, outcome = judge.fix(name, data)
        print(f"# {name}: {type(outcome).__name__}", flush=True)
        if after != data:
            sys.stdout.buffer.write(patch(name.encode(), data, after))
            sys.stdout.buffer.flush()
        for left in getattr(outcome, "remaining", ()):
            fix = left.fix
            why = f" [{fix.applicability.value}: {fix.premise}]" if fix else f" [{left.note}]"
            print(f"#   {left.code} {left.message}{why}")


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--diff"]:
        show(arguments[1:])
        return 0
    if arguments == ["--intent"]:
        wrong = {i.script: found for i in judge.read_intents() if (found := judge.disagreements(i))}
        for name, found in wrong.items():
            print(f"{name}: {'; '.join(found)}")
        print(f"{len(wrong)} scripts disagree with INTENT.tsv")
        return 1 if wrong else 0
    update_scripts()
    if arguments != ["--scripts"]:
        update_core()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
