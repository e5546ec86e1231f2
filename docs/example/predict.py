import sys

import numpy as np
import torch

from model import Classifier


def predict(path, sequences):
    """The classes of an array of sequences, by a trained model."""
    model = Classifier()
    model.load_state_dict(torch.load(path)["model"])
    model.eval()
    model.cuda()
    x = torch.from_numpy(sequences).float().cuda()
    with torch.no_grad():
        return model(x).argmax(1).numpy()


if __name__ == "__main__":
    print(predict(sys.argv[1], np.load(sys.argv[2])))
