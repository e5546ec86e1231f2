# All tokens move in place; what is not asked for as tensors of torch is not known to be one.
# options: unsafe
import torch


def embed(tokenizer, model, text, device):
    tokens = tokenizer(text, return_tensors="pt")
    tokens.to(device)
    return model(**tokens)


def load(processor, model, image, device):
    pixels = processor.preprocess(image)["pixel_values"]
    pixels.to(device)
    return model(pixels, torch)
