"""placefix as libcst codemods: one command per transform, and one for all of them.

Run from the root of the repository, with placefix installed:

    python -m libcst.tool codemod place_before_wrap.PlaceBeforeWrapCommand src/

Each file becomes, byte for byte, what ``placefix apply --select …`` makes of it.
"""
