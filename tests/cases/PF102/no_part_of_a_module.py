import torch
import torch.nn as nn
import torchvision

model = torchvision.models.vgg11()
model.features = nn.DataParallel(model.features)
model.cuda()
