import os
import torch
import torch.nn as nn

model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
os.environ["CUDA_VISIBLE_DEVICES"] = "1,2"
model.cuda()
