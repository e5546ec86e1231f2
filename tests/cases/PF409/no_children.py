# The variable is for the processes that the program starts.
import os
import subprocess
import sys

import torch

print(torch.cuda.get_device_name())
for gpu in ("0", "1"):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    subprocess.run([sys.executable, "train.py"], check=True)
