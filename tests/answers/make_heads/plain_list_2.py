# wrong: returns a plain list in which no module looks for parameters
# named: plain_list
import torch

from course_lib import SingleHead


def make_heads(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return [SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)]
