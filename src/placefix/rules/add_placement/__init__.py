"""Placement where a script has none."""
