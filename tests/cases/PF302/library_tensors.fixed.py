# Tensors on the CPU that libraries read or hold: images, sound, the data of a data set, its items, tokens of a processor.
import torch
import torchaudio
import torchvision
from torch import nn
from torchvision import datasets, transforms
from torchvision.io import read_image
from transformers import AutoModel, AutoProcessor

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(2)).to(device)
flat = nn.Sequential(nn.Flatten(), nn.LazyLinear(2)).to(device)
wave = nn.Linear(16, 2).to(device)

image = (read_image("a.png").float() / 255).to(device)  # want: PF302
print(net(image[None]).shape)
other = torchvision.io.read_image("b.png").type(torch.float32).to(device)  # want: PF302
print(net(other[None]).shape)

sound, rate = torchaudio.load("a.wav")
print(wave(sound.to(device)).shape, rate)  # want: PF302

digits = datasets.MNIST("data", train=False, download=True, transform=transforms.ToTensor())
print(flat(digits.data[0][None].to(device)).shape)  # want: PF302
shown, label = digits[1]
print(flat(shown[None].to(device)).shape, label)  # want: PF302
train, rest = torch.utils.data.random_split(digits, [200, 56])
first, _ = train[0]
print(flat(first[None].to(device)).shape)  # want: PF302

resize = transforms.Compose([transforms.Resize(8), transforms.Normalize((0.5,), (0.5,))])
small = resize(torch.ones(1, 3, 8, 8)).to(device)  # want: PF302
print(net(small).shape)

processor = AutoProcessor.from_pretrained("some/processor")
model = AutoModel.from_pretrained("some/model").to(device)
given = processor("a few words", return_tensors="pt")
print(model(**given.to(device)).logits.shape)  # want: PF302
