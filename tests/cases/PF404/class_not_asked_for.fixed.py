# options: target-torch=2.4
"""The class of another thing is asked for, or the class is only named."""
import torch

scaler = torch.amp.GradScaler("cuda")  # want: PF404
noted: torch.amp.GradScaler = scaler  # want: PF404
print(isinstance(scaler, torch.amp.GradScaler), isinstance(3, int))
with torch.amp.autocast("cuda", enabled=False):  # want: PF404
    print(isinstance(scaler, object))
