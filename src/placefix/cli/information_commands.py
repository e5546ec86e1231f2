"""The commands that inform: `rule`, `explain`, `schema`, `completion`."""

# Not `from __future__ import annotations`: typer would compile every annotation at each start.

from typing import TYPE_CHECKING, Annotated

import typer

from placefix.cli.application import COMPLETE, command
from placefix.cli.options import Color, ConfigFile, Isolated, one_of
from placefix.cli.run_setup import create_stream

if TYPE_CHECKING:
    from placefix.diagnostic import Rule


@command()
def rule(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A rule's code or name.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List all rules.")] = False,
    color: Color = "auto",
) -> None:
    """Explain a rule, or list all rules."""
    from placefix.report import rule_pages as pages
    from placefix.rules import RULES

    if (code is None) == (not every):
        raise typer.BadParameter("give a rule's code, or --all")
    out = create_stream(color)
    if code is None:
        pages.rule_list(RULES, out)
    else:
        pages.rule_page(_rule(code, RULES), out)
    out.flush()
    raise typer.Exit(2 if out.errors else 0)


@command()
def explain(
    place: Annotated[
        str,
        typer.Argument(
            metavar="FILE:LINE", help="A line of a file, or FILE:CELL:LINE of a notebook.", show_default=False
        ),
    ],
    output_format: Annotated[
        str, typer.Option(metavar="text|json", help="Format of the output.", callback=one_of("text", "json"))
    ] = "text",
    config: ConfigFile = None,
    isolated: Isolated = False,
    color: Color = "auto",
) -> None:
    """Show the inferred values and devices at a line. Exits 0, or 2 on error."""
    import re

    from placefix.config import ConfigError, Configs
    from placefix.explain import ExplainError, explain_line
    from placefix.report import explanation

    parts = re.fullmatch(r"(?s)(.+?)(?::(\d{1,9}))?:(\d{1,9})", place)
    if parts is None:
        raise typer.BadParameter("give FILE:LINE, or FILE:CELL:LINE for a notebook")
    out = create_stream(color)
    try:
        cell = int(parts[2]) if parts[2] else None
        found = explain_line(parts[1], int(parts[3]), cell, Configs(file=config, isolated=isolated))
    except (ConfigError, ExplainError) as error:
        out.error("" if isinstance(error, ConfigError) else parts[1], str(error))
    else:
        explanation.render(found, output_format, out)
    out.flush()
    raise typer.Exit(2 if out.errors else 0)


@command()
def schema() -> None:
    """Print the JSON Schema of the configuration. Editors use it to complete and validate placefix.toml."""
    import json

    from placefix import schema as configuration

    print(json.dumps(configuration.schema(), indent=2))


@command()
def completion(
    shell: Annotated[
        str, typer.Argument(metavar="bash|zsh|fish|powershell", callback=one_of("bash", "zsh", "fish", "powershell"))
    ],
) -> None:
    """Print the completion script of a shell. Usage: `eval "$(placefix completion bash)"`."""
    from typer._completion_shared import get_completion_script

    print(get_completion_script(prog_name="placefix", complete_var=COMPLETE, shell=shell))


def _rule(code: str, rules: "tuple[Rule, ...]") -> "Rule":
    for rule in rules:
        if code.upper() == rule.code or code == rule.name:
            return rule
    from placefix.rule_selection import suggest_rule

    raise typer.BadParameter(f"no rule {code!r}{suggest_rule(code)} (`placefix rule --all` lists them)")
