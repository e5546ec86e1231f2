"""The command line: options, exit codes and the output of each command; everything else is imported when needed.

Exit codes: 0 nothing found, or done, 1 findings (check) or a diff (apply --diff), 2 error.
"""

from placefix.cli.application import app, commands, main

__all__ = ["app", "commands", "main"]
