"""TorchDrug's graphs have a .cuda() and no .to(), and tasks hold graphs among their buffers."""
import torch
from torchdrug import core, data


class Engine(core.Configurable):
    def __init__(self, task, gpus=None):
        self.device = torch.device("cuda:%d" % gpus[0] if gpus else "cpu")
        old = list(task.parameters())
        if self.device.type == "cuda":  # want: PF403 note
            task = task.cuda(self.device)
        self.task = task, old

    def generate(self, smiles):
        graph = data.Molecule.from_smiles(smiles)
        if self.device.type == "cuda":  # want: PF403 note
            graph = graph.cuda(self.device)
        return graph
