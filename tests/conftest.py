"""The tests print the same wherever they run."""

import os

os.environ.pop("GITHUB_ACTIONS", None)  # output for its log has lines of its own
