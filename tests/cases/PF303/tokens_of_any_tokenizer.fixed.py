# The pixels that a processor of unknown class makes are a tensor: their discarded move has no effect.
# options: unsafe
import torch


def embed(processor, model, image, device):
    pixels = processor.preprocess(image, return_tensors="pt")["pixel_values"]
    pixels = pixels.to(device)  # want: PF303 unsafe, warning
    return model(pixels)


# given: import torch as t
# given: Processor = type("Processor", (), {"preprocess": lambda *a, **k: {"pixel_values": t.ones(1, 3)}})
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(embed(Processor(), torch.nn.Linear(3, 2).to(device), "a", device))
