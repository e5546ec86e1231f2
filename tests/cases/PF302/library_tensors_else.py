# Tensors of libraries that are moved, that go where nothing is placed, or of which it is not known where they are.
import torch
import torchaudio
import torchvision
from torch import nn
from torchvision import datasets, transforms

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(2)).to(device)
on_host = nn.Sequential(nn.Flatten(), nn.LazyLinear(2))

image = torchvision.io.read_image("a.png").float().to(device)
print(net(image[None]).shape)
print(on_host(torchvision.io.read_image("b.png").float()[None]).shape)

sound, rate = torchaudio.load("a.wav")
print(sound.numpy().shape, torch.ones(rate, device=device).shape)

moved = datasets.MNIST("data", train=False, download=True)
moved.data = moved.data.to(device)
print(moved.data[0].sum().item())


def prepare(dataset):
    dataset.data = dataset.data.to(device)
    dataset.targets = dataset.targets


given = datasets.FashionMNIST("data", train=False, download=True)
prepare(given)
print(given.data[0].sum().item())

arrays = datasets.CIFAR10("data", train=False, download=True)
pictures = datasets.CIFAR10("data", train=False, download=True, transform=lambda x: torch.ones(3, 8, 8).to(device))
print(net(pictures[0][0][None]).shape)

resize = transforms.Compose([transforms.Resize(8), transforms.Normalize((0.5,), (0.5,))])
print(net(resize(torch.ones(1, 3, 8, 8, device=device))).shape)
print(net(resize(torch.ones(1, 3, 8, 8)).to(device)).shape)
unknown = transforms.Compose([transforms.Resize(8), lambda x: x.to(device)])
print(net(unknown(torch.ones(1, 3, 8, 8))).shape)
