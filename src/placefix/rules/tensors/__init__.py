"""Tensors, modules and losses that stay on the CPU."""
