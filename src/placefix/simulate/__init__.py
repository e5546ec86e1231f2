"""A simulated accelerator: run a script on a machine that claims CUDA devices, with real values.

Only this package imports torch, and only `child`, `server` and what they import do; the rest of it speaks
to them through processes. What it finds is found on a simulation, and is called so.
"""
