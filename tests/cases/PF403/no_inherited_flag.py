"""What a base class of elsewhere keeps as `self.cuda` is not known here; a module's own `cuda` would be its method."""
# not run: the base class is nowhere
import torch
from cams import Cam


class ScoreCam(Cam):
    def weights(self, activations):
        found = torch.from_numpy(activations)
        if self.cuda:  # want: PF403 note
            found = found.cuda()
        return found
