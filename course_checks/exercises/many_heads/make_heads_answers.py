"""Answers to make_heads (lesson 03, exercise 3), right and wrong, as students write them."""

import copy
import functools

import torch
from torch import nn

from course_lib import SingleHead


# right
def by_generator(num_heads, d_model, head_dim, seed):
    """Building the heads draws from the global generator, as every module does."""
    heads = nn.ModuleList()
    generator = torch.Generator().manual_seed(seed)
    for _ in range(num_heads):
        heads.append(SingleHead(d_model, head_dim, bias=False))
    for weight in heads.parameters():
        nn.init.normal_(weight, std=d_model**-0.5, generator=generator)
    return heads


# right
def restored(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    heads = []
    for i in range(num_heads):
        torch.manual_seed(1000 * seed + i)
        heads.append(SingleHead(d_model, head_dim, bias=False))
    torch.set_rng_state(state)
    return nn.Sequential(*heads)


# wrong: deep copies of one head
# named: clones
def copies(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = SingleHead(d_model, head_dim, bias=False)
        return nn.ModuleList(copy.deepcopy(head) for _ in range(num_heads))


# wrong: always four heads, as in the example
# named: fixed_number
def four_heads_always(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(4)])


# wrong: a fresh generator with the same seed for each parameter, so all projections and heads are equal
# named: one_matrix
def generator_per_parameter(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for p in heads.parameters():
        nn.init.xavier_uniform_(p, generator=torch.Generator().manual_seed(seed))
    return heads


# wrong: seeds the global generator and leaves it so
# named: resets_the_global_generator
def global_seed(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    return nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))


# wrong: seeds with torch.initial_seed() again, which goes back to the start of the caller's numbers
# named: back_to_the_start
def initial_seed_put_back(num_heads, d_model, head_dim, seed):
    before = torch.initial_seed()
    torch.manual_seed(seed)
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.manual_seed(before)
    return heads


# wrong: the parameters do not ask for a gradient
# named: frozen
def not_trainable(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    return heads.requires_grad_(False)


# wrong: [head] * num_heads is the same head many times
# named: repeated_module
def one_head_many_times(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False)] * num_heads)


# wrong: all heads share the value projection of head 0
# named: shared_projection
# points: 3
def one_shared_value_projection(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    for head in heads[1:]:
        head.v_proj = heads[0].v_proj
    return heads


# wrong: torch.seed() afterwards, so what the caller draws never comes again
# named: leaves_it_random
# points: 5
def random_afterwards(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    torch.seed()
    return heads


# wrong: never uses the seed
# named: unseeded
def seed_ignored(num_heads, d_model, head_dim, seed):
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: d_model and head_dim are swapped
# named: sizes_exchanged
def sizes_swapped(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList(SingleHead(head_dim, d_model, bias=False) for _ in range(num_heads))


# wrong: copies one head
# named: clones_and_global
# points: 3
def deepcopied(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    head = SingleHead(d_model, head_dim, bias=False)
    return torch.nn.ModuleList([copy.deepcopy(head) for _ in range(num_heads)])


# wrong: lists in place of heads
# says: should be a SingleHead
def lists_of_nothing(n, d, k, seed):
    return [[]] * n


# wrong: the same modules in a second call
# named: same_objects
@functools.lru_cache
def cached(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))


# other inputs
def other_inputs(generator):
    yield from ((2, 3, 3, 17), (3, 6, 1, 0), (5, 2, 4, 123))
