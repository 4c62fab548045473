# wrong: never uses the seed
# named: unseeded

from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
