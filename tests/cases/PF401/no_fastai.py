"""The Learner of fastai places the model and its batches."""
import torch
from fastai.vision.all import ImageDataLoaders, resnet18, vision_learner

learner = vision_learner(ImageDataLoaders.from_folder("data"), resnet18)
learner.fine_tune(1)
model = learner.model.cuda()  # want: PF401 report
print(model(torch.ones(1, 3, 8, 8).cuda()))  # want: PF401 report
