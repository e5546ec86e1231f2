import numpy as np
import torch
from torch import nn
from torchvision import transforms

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Conv2d(3, 4, 3).to(device)
image = np.ones((8, 8, 3), dtype="uint8")
prepare = transforms.Compose([transforms.Resize(8), transforms.ToTensor()])
places = transforms.Compose([transforms.ToTensor(), lambda x: x.to(device)])
bare = transforms.Compose([transforms.Resize(8)])
on_host = nn.Conv2d(3, 4, 3)

print(net(prepare(image)[None].to(device)).shape)
print(net(places(image)[None]).shape)
print(on_host(prepare(image)[None]).shape)
shown = prepare(image)
print(shown.permute(1, 2, 0).numpy().shape, net(shown[None].to(device)).shape)
ready = torch.ones(3, 8, 8, device=device)
print(net(bare(ready)[None]).shape)
