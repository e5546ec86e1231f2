"""`python -m placefix`."""

from placefix.cli import main

if __name__ == "__main__":
    main()
