# wrong: saves the generator's state after seeding, so it is set back to the seeded state
# named: resets_the_global_generator
import torch
from torch import nn

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    state = torch.get_rng_state()
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.set_rng_state(state)
    return heads
