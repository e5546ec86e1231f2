# A transform of torchaudio with a window is a module: it is placed as one.
import torch
import torchaudio

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
mel = torchaudio.transforms.MelSpectrogram(sample_rate=16000).to(device)  # want: PF112
decibels = torchaudio.transforms.AmplitudeToDB()
wave, rate = torchaudio.load("a.wav")
wave = wave.to(device)
print(f"{decibels(mel(wave)).sum().item():.4f}", rate)
