import sys

from stand_in import offer

offer(sys.modules[__name__])
