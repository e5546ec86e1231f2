# The transform is placed, is a part of a module that is, gets sound on the CPU, or has no tensors.
import torch
import torchaudio
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
wave, rate = torchaudio.load("a.wav")
placed = torchaudio.transforms.MelSpectrogram(sample_rate=16000).to(device)
print(placed(wave.to(device)).shape)
on_cpu = torchaudio.transforms.MelSpectrogram(sample_rate=16000)
print(on_cpu(wave).to(device).shape)
decibels = torchaudio.transforms.AmplitudeToDB()
print(decibels(wave.to(device)).shape)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mel = torchaudio.transforms.MelSpectrogram(sample_rate=16000)

    def forward(self, x):
        return self.mel(x)


print(Net().to(device)(wave.to(device)).shape)
