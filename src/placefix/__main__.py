"""`placefix` and `python -m placefix`."""

import sys

# `python -m` looks for modules in the working directory first: a file there that is called like one that is still to be
# imported would run. The name of this module, not of a script, shows that it was `-m`; -P has put nothing there.
if __name__ == "__main__" and __spec__ is not None and not getattr(sys.flags, "safe_path", False):
    import os

    if sys.path and sys.path[0] in ("", os.getcwd()):
        del sys.path[0]

from typing import NoReturn

_INTERRUPTED = (130, 143)  # the exit codes of runs that SIGINT and SIGTERM end


def main() -> NoReturn:
    """The `placefix` command."""
    import gc

    # Modules and syntax trees are many objects and hardly any garbage: collecting by the count of objects
    # costs up to a third of a run, and so does looking through them all once more when Python ends.
    # `batch` collects every so many files, which keeps memory flat.
    gc.disable()
    try:
        from placefix.cli import main as run

        run()
    except SystemExit as stop:
        _end(stop)
    except KeyboardInterrupt:  # before there is a session that could report its state
        _end(SystemExit(130))
    finally:
        gc.freeze()


def _end(stop: SystemExit) -> NoReturn:
    """End the process as `stop` requires, without freeing each object: the system frees them all at once.

    First come the effects that others rely on: buffered output, functions registered with atexit. While threads
    run, a profiler listens or output cannot be written, Python ends in the normal way. After an interrupt the threads
    are those of the process pool, whose processes are gone: in the normal way they would fail aloud (OSError).
    """
    import atexit
    import os
    import threading

    has_threads = threading.active_count() > 1 and stop.code not in _INTERRUPTED
    if not isinstance(stop.code, int) or has_threads or sys.getprofile() or sys.gettrace():
        raise stop
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except (OSError, ValueError):
        raise stop from None
    os._exit(stop.code)


if __name__ == "__main__":
    main()
