"""Imported to be handed on."""
from torch.cuda.amp import GradScaler, autocast

__all__ = ["GradScaler", "autocast"]
