import torch


class Gaudi:
    def hpu(self):
        return self


print(Gaudi().hpu(), torch.__name__)  # want: PF401 report
