"""Rules by their codes, prefixes of codes, or names, as users write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from placefix.diagnostic import Rule


def codes(words: Iterable[str]) -> tuple[str, ...]:
    """The codes, or prefixes of codes, that words mean. Raises ValueError for a word that fits no rule."""
    return tuple(_code(word) for word in words)


def _code(word: str) -> str:
    for rule in RULES:
        if word == rule.name:
            return rule.code
    if not word or not any(rule.code.startswith(word) for rule in RULES):
        raise ValueError(f"no rule fits {word!r}{suggest_rule(word)} (`placefix rule --all` lists them)")
    return word


def suggest_rule(word: str) -> str:
    """The rule that a misspelt word may mean, as a question; empty where none is like it."""
    known = {rule.name: f"{rule.name} ({rule.code})" for rule in RULES} | {
        rule.code.lower(): rule.code for rule in RULES
    }
    return did_you_mean(word.lower(), known)


def did_you_mean(word: str, known: dict[str, str]) -> str:
    """`: did you mean …?` with the value of the most similar known word; "" if none is similar."""
    from difflib import get_close_matches

    found = get_close_matches(word, known)
    found = [one for one in found if word.startswith(one)] or found  # PF4011 is PF401 and one digit more
    return f": did you mean {known[found[0]]}?" if found else ""


def select(select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of the codes, prefixes or names in `select` less those in `ignore`, in their order.

    An empty `select` means every rule that is not opt-in; an opt-in rule is chosen by its full
    code only. Where both lists name a rule the longer prefix wins, and `ignore` on a tie.
    Raises ValueError for a word that fits no rule.
    """
    select, ignore = codes(select), codes(ignore)

    def chosen(rule: Rule) -> bool:
        """Whether the longest matching prefix selects the rule."""
        wanted = prefix_length(rule.code, select) if select else 1
        if rule.opt_in and rule.code not in select:
            return False
        return wanted > 0 and (wanted > prefix_length(rule.code, ignore))

    return tuple(rule for rule in RULES if chosen(rule))


def prefix_length(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest of the prefixes that fits a code; 0 where none does."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def sort_rules(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules in their order, each once."""
    wanted = {rule.code for rule in rules}
    return tuple(rule for rule in RULES if rule.code in wanted)
