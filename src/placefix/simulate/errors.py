"""The error of a torch that the simulator cannot work on, where it can be imported without torch."""


class UnsupportedError(RuntimeError):
    """This torch is not laid out as the simulator needs it; nothing can be judged."""
