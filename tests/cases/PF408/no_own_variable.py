"""A class that is only named Variable."""


class Variable:
    def __init__(self, value, volatile=False):
        self.value, self.volatile = value, volatile


print(Variable(1, volatile=True).volatile)
