"""The device a statement may use: what expressions denote, which is in reach, where one can be defined."""
