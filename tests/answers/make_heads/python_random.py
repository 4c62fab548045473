# wrong: seeds Python's and NumPy's generators, from which torch does not draw
# named: unseeded
import random

import numpy as np
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    random.seed(seed)
    np.random.seed(seed)
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
