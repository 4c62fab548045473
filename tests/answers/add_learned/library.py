# wrong: calls the course's own module
# named: closed
import torch

from course_lib import LearnedPositions


def add_learned(x, table, offset):
    module = LearnedPositions(*table.shape)
    return torch.func.functional_call(module, {"weight": table}, (x, offset))
