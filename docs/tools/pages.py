"""The pages that are made of the program: rules, configuration, command line. Nothing in them is written by hand.

Each function gives Markdown. `hooks` puts it into the site.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
import typer.main

import placefix
from placefix import cli
from placefix.report.rule_pages import as_markdown
from placefix.rules import RULES
from placefix.schema import schema

if TYPE_CHECKING:
    from placefix.diagnostic import Diagnostic, Rule

CASES = Path(__file__).parents[2] / "tests" / "cases"

# Which of its cases shows a rule best, where it is not the shortest.
SHOWN = {
    "PF001": "trailing",
    "PF101": "after_a_barrier",
    "PF201": "sharded_state",
    "PF203": "two_optimizers",
    "PF301": "tqdm_with_and_bare",
    "PF303": "input_and_target",
    "PF401": "import_torch",
    "PF403": "availability",
    "PF404": "attributes",
}

FAMILIES = {
    "PF0": "Suppressions",
    "PF1": "Wrapping",
    "PF2": "Optimizers and parameters",
    "PF3": "Batches and tensors",
    "PF4": "Tied to CUDA",
    "PF5": "Placing what places nothing",
}

# What a case says to the tests alone.
_DIRECTIVE = re.compile(
    r"^# (rules|options|run|arguments|files|ranks|machines|before|after|numbers|not run): .*\n"
    r"|^([ \t]*# want: [^#\n]*)+\n|[ \t]*# want: [^#\n]*",
    re.MULTILINE,
)


class Example(NamedTuple):
    """A case of the tests: its text, what placefix makes of it (the same where there is no fix), and what it says of it
    under the options it asks for."""

    name: str
    before: str
    after: str
    findings: tuple[Diagnostic, ...]
    options: dict[str, str]


def example(rule: Rule) -> Example | None:
    """The case that shows the rule: the one in SHOWN, else with a fix, without options, and short, as far as there are such."""
    candidates = [path for path in (CASES / rule.code).glob("*.py") if _shows(rule, path.read_text(encoding="utf-8"))]
    if not candidates:
        return None

    def order(path: Path) -> tuple[bool, bool, bool, int, str]:
        text = path.read_text(encoding="utf-8")
        fixed = path.with_suffix(".fixed.py").exists()
        return path.stem != SHOWN.get(rule.code), not fixed, "\n# options: " in f"\n{text}", len(text), path.stem

    return of_case(rule, min(candidates, key=order))


def of_case(rule: Rule, path: Path) -> Example:
    """What placefix says of a case, and makes of it, by one rule."""
    text = path.read_text(encoding="utf-8")
    before, said = undirected(text), _header(text)
    pairs = (word.partition("=") for word in said.get("options", "").split())
    words = {name: value if equals else "true" for name, equals, value in pairs}
    options = placefix.Options(
        select=None if said.get("rules") == "all" else (rule.code,),
        unsafe_fixes="unsafe" in words,
        add_placement="add-placement" in words,
        target_torch=words.get("target-torch"),
        device_idiom=words.get("device-idiom"),
        device_name=words.get("device-name"),
    )
    place = path if rule.check_suppressions is not None else None  # it is silent about a text that stands nowhere
    outcome = placefix.fix_source(before, options=options, path=place)
    after = outcome.text if isinstance(outcome, placefix.Changed) else before
    findings = tuple(
        found for found in placefix.check_source(before, options=options, path=place) if found.code == rule.code
    )
    return Example(path.stem, before, after, findings, words)


def undirected(text: str) -> str:
    """A case without what it says to the tests alone."""
    return _DIRECTIVE.sub("", text)


def _header(text: str) -> dict[str, str]:
    return dict(re.findall(r"^# (rules|options): (.*)$", "\n".join(text.splitlines()[:2]), re.MULTILINE))


def _shows(rule: Rule, text: str) -> bool:
    """Whether a case has a finding of the rule, and only of it unless the rule is one that others complete."""
    return f"# want: {rule.code}" in text and (
        "rules" not in _header(text) or rule.opt_in or rule.check_suppressions is not None
    )


def rules_index() -> str:
    """All rules, by family."""
    lines = [
        "# Rules",
        "",
        f"{len(RULES)} rules. *error*: the code crashes or trains wrongly. *warning*: it works on some machines only. "
        "*style*: it works, and does not use the canonical order or spelling. A *note* is no problem. *Safe fix?* says whether the rule has a fix that "
        "`apply` applies by default; the page of each rule says when. The [safety model](../safety.md) explains the terms.",
        "",
    ]
    for prefix in sorted({rule.code[:3] for rule in RULES}):
        lines += [
            f"## {FAMILIES.get(prefix, prefix)} ({prefix})",
            "",
            "| Code | Name | Finds | Severity | Safe fix? |",
            "| --- | --- | --- | --- | --- |",
        ]
        for rule in sorted(RULES):
            if rule.code.startswith(prefix):
                opt_in = " (opt-in)" if rule.opt_in else ""
                lines.append(
                    f"| [{rule.code}]({rule.code}.md) | `{rule.name}` | {_cell(rule.summary)}{opt_in} | {_severity(rule)} | {safe_fix(rule)} |"
                )
        lines.append("")
    return "\n".join(lines)


def safe_fix(rule: Rule) -> str:
    """Whether `apply` repairs what the rule finds, as far as its section "Fix safety" says: "yes", "no" or "unsafe only"."""
    section = re.search(
        r"^Fix safety:\n(.*?)(?=^\S|\Z)", inspect.cleandoc(rule.documentation), re.MULTILINE | re.DOTALL
    )
    assert section is not None, rule.code
    if "There is no fix" in section[1]:
        return "no"
    return "yes" if re.search(r"\b[Ss]afe(ly)?\b", section[1]) else "unsafe only"


def rule_page(rule: Rule) -> str:
    """What `placefix rule CODE` prints, and a case of the tests with what placefix says and does about it."""
    doc = inspect.cleandoc(rule.documentation) or rule.summary
    opt_in = " · only if selected by its code" if rule.opt_in else ""
    lines = [f"# {rule.code} {rule.name}", "", f"{_severity(rule)}{opt_in}", "", _linked(as_markdown(doc), rule), ""]
    shown = example(rule)
    if shown is not None:
        lines += ["## From its tests", "", *_shown(shown), ""]
    lines += [
        "## Turning it off",
        "",
        f"`# placefix: ignore[{rule.code}]` for a statement, `# placefix: file-ignore[{rule.code}]` for a file, "
        f'`ignore = ["{rule.code}"]` in the [configuration](../configuration.md).',
        "",
    ]
    return "\n".join(lines)


def _linked(text: str, rule: Rule) -> str:
    """The codes of other rules lead to their pages; code stays as it is."""
    codes = {other.code for other in RULES} - {rule.code}
    parts = re.split(r"(^```.*?^```|`[^`]*`)", text, flags=re.MULTILINE | re.DOTALL)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(
            r"\bPF\d{3}\b",
            lambda match: f"[{match[0]}]({match[0]}.md)" if match[0] in codes else match[0],
            parts[number],
        )
    return "".join(parts)


def _shown(shown: Example) -> list[str]:
    """The case as a diff that shows all of it, and the findings."""
    whole = len(shown.before) + len(shown.after)
    changes = list(difflib.unified_diff(shown.before.splitlines(), shown.after.splitlines(), n=whole, lineterm=""))
    asked = ", ".join(
        f"`{name} = {value if value == 'true' else _toml(value)}`" for name, value in _asked(shown).items()
    )
    lines = [f"With {asked}:", ""] if asked else []
    lines += ["```diff", *changes[3:], "```"] if changes else ["```python", shown.before.rstrip("\n"), "```"]
    for finding in shown.findings:
        row = shown.before.count("\n", 0, finding.span.start) + 1
        lines += ["", f"Line {row}: {finding.message}."]
        if finding.fix is not None and finding.fix.premise:
            lines.append(f"The fix is {finding.fix.applicability.value}: {finding.fix.premise}.")
        if finding.note:
            lines.append(f"No fix: {finding.note}.")
    return lines


def _asked(shown: Example) -> dict[str, str]:
    return {"unsafe-fixes" if name == "unsafe" else name: value for name, value in shown.options.items()}


def _severity(rule: Rule) -> str:
    value = rule.severity.value
    return f'<span class="severity {value}">{value}</span>'


def configuration() -> str:
    """Every key of the configuration, from its schema."""
    lines: list[str] = []
    for key, described in schema()["properties"].items():
        default = f"`{_toml(described['default'])}`" if "default" in described else "not set"
        lines += [
            f"### `{key}`",
            "",
            described["description"],
            "",
            f"*Type*: {_type(described)}. *Default*: {default}.",
            "",
            "```toml",
        ]
        (shown,) = described["examples"]
        if isinstance(shown, dict):
            lines += [f"[tool.placefix.{key}]", *(f'"{name}" = {_toml(value)}' for name, value in shown.items())]
        else:
            lines.append(f"{key} = {_toml(shown)}")
        lines += ["```", ""]
    return "\n".join(lines)


def _type(described: dict[str, Any]) -> str:
    if "enum" in described:
        return " or ".join(f'`"{value}"`' for value in described["enum"])
    if "allOf" in described:
        return "list of codes"
    names = {
        "boolean": "boolean",
        "integer": "integer",
        "string": "string",
        "array": "list of strings",
        "object": "table of lists of codes",
    }
    return names[described["type"]]


def _toml(value: object) -> str:
    return "{}" if value == {} else json.dumps(value, ensure_ascii=False)


def command_line() -> str:
    """Every command with its arguments and options, from the program itself."""
    lines: list[str] = []
    for name, app in cli.commands().items():
        command = typer.main.get_command(app)
        context = typer.Context(command, info_name=f"placefix {name}")
        usage = " ".join([f"placefix {name}", *command.collect_usage_pieces(context)])
        lines += [f"## placefix {name}", "", inspect.cleandoc(command.help or ""), "", "```text", usage, "```", ""]
        rows = [row for parameter in command.get_params(context) if (row := _parameter(parameter, context)) is not None]
        if rows:
            lines += ["| | |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def _parameter(parameter: Any, context: Any) -> str | None:
    record = parameter.get_help_record(context)
    if record is None or "--help" in parameter.opts:
        return None
    written, described = record
    return f"| {_code(written)} | {_cell(described)} |"


def _code(text: str) -> str:
    """An option as it is written; a line may break between its choices."""
    return f"<code>{_cell(text).replace('&#124;', '&#124;<wbr>')}</code>"


def _cell(text: str) -> str:
    """A text in a cell of a table."""
    return text.replace("<", "&lt;").replace("[", "\\[").replace("|", "&#124;").replace("*", "\\*")
