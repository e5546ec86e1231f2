"""The call is all that an `if` runs: its test gets the question as well. A branch with another arm, or with more, keeps its test."""
import torch


def wait(sync):
    if sync and torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406


def wait_or(sync, always):
    if (sync or always) and torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406
    if not (sync and always) and torch.cuda.is_available():  # as before
        torch.cuda.synchronize()  # want: PF406


def wait_in_last_arm(sync, steps):
    if sync:
        steps = steps + 1
    elif steps > 0 and torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406
    return steps


def wait_else(sync, steps):
    if sync:
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # want: PF406
    else:
        steps = steps + 1
    if steps:
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # want: PF406
        steps = 0
    return steps


def wait_over_lines(sync, steps):
    if (sync and
            steps):
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # want: PF406


def wait_between(steps):
    if (yield steps):
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # want: PF406
    yield steps


def wait_for_more(steps):
    if (more := steps - 1):
        if torch.cuda.is_available():
            torch.cuda.synchronize()  # want: PF406
    return more


# run: list(wait_between(1)); wait_for_more(2)
# run: wait(True); wait_or(False, True); wait_or(False, False); wait_in_last_arm(False, 1); wait_over_lines(True, 2)
# run: print(wait_else(True, 1), wait_else(False, 1))
