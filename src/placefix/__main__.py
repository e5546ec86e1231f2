"""`placefix` and `python -m placefix`."""

from typing import NoReturn


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
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
