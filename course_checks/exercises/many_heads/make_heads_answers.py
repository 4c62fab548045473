"""Answers to make_heads (lesson 03, exercise 3), right and wrong, as students write them."""

import copy
import functools
import math
import random

import numpy as np
import torch
from torch import nn

from course_lib import SingleHead


# wrong: deep copies of one head
# named: clones
def copies(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = SingleHead(d_model, head_dim, bias=False)
        return nn.ModuleList(copy.deepcopy(head) for _ in range(num_heads))


# wrong: forks the generator and forgets to seed inside
# named: unseeded
def fork_without_a_seed(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: always four heads, as in the example
# named: fixed_number
def four_heads_always(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(4)])


# wrong: a fresh generator for each parameter, so q, k and v are equal
# named: one_matrix
def generator_for_every_projection(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    for i, head in enumerate(heads):
        for parameter in head.parameters():
            generator = torch.Generator().manual_seed(seed * num_heads + i)
            nn.init.normal_(parameter, generator=generator)
    return heads


# wrong: a fresh generator with the same seed for each parameter, so all projections and heads are equal
# named: one_matrix
def generator_per_parameter(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for p in heads.parameters():
        nn.init.xavier_uniform_(p, generator=torch.Generator().manual_seed(seed))
    return heads


# right
def get_set_state(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        modules = nn.ModuleList()
        while len(modules) < num_heads:
            modules.append(SingleHead(d_model, head_dim, bias=False))
    finally:
        torch.set_rng_state(state)
    return modules


# wrong: seeds the global generator and leaves it so
# named: resets_the_global_generator
def global_seed(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    return nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))


# wrong: seeds the global generator and does not restore it
# named: resets_the_global_generator
def global_seed_2(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: seeds with torch.initial_seed() again, which goes back to the start of the caller's numbers
# named: back_to_the_start
def initial_seed_put_back(num_heads, d_model, head_dim, seed):
    before = torch.initial_seed()
    torch.manual_seed(seed)
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.manual_seed(before)
    return heads


# right
def meta_then_fill(num_heads, d_model, head_dim, seed):
    g = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList()
    for _ in range(num_heads):
        head = SingleHead(d_model, head_dim, bias=False, device="meta").to_empty(device="cpu")
        for p in head.parameters():
            p.data.copy_(torch.rand(p.shape, generator=g) * 2 - 1).mul_(d_model**-0.5)
        heads.append(head)
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
def one_shared_value_projection(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    for head in heads[1:]:
        head.v_proj = heads[0].v_proj
    return heads


# wrong: fills only q_proj from the seed, keys and values stay as they were drawn
# named: unseeded
def only_queries_seeded(num_heads, d_model, head_dim, seed):
    generator = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for head in heads:
        nn.init.normal_(head.q_proj.weight, std=0.1, generator=generator)
    return heads


# wrong: returns a plain Python list
# named: plain_list
def plain_list(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return [SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)]


# wrong: sets the global generator to 0 afterwards instead of to where it was
# named: resets_the_global_generator
def put_back_to_zero(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    torch.manual_seed(0)
    return heads


# wrong: seeds Python's and NumPy's generators, from which torch does not draw
# named: unseeded
def python_random(num_heads, d_model, head_dim, seed):
    random.seed(seed)
    np.random.seed(seed)
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: seeds Python's random module, which torch does not use
# named: unseeded
def python_random_seeded(num_heads, d_model, head_dim, seed):
    random.seed(seed)
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: the generator is set again for each projection, so query, key and value of a head are equal
# named: one_matrix
def qk_same(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    with torch.no_grad():
        for i, head in enumerate(heads):
            for p in head.parameters():
                g = torch.Generator().manual_seed(seed * 1000 + i)
                p.copy_(torch.randn(p.shape, generator=g) * 0.1)
    return heads


# wrong: torch.seed() afterwards, so what the caller draws never comes again
# named: leaves_it_random
def random_afterwards(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    torch.seed()
    return heads


# right
def right_filled_from_a_generator(num_heads, d_model, head_dim, seed):
    generator = torch.Generator().manual_seed(seed)
    heads = nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    for parameter in heads.parameters():
        nn.init.xavier_uniform_(parameter, generator=generator)
    return heads


# right
def right_numpy_numbers(num_heads, d_model, head_dim, seed):
    rng = np.random.default_rng(seed)
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    with torch.no_grad():
        for head in heads:
            for projection in (head.q_proj, head.k_proj, head.v_proj):
                numbers = rng.uniform(-1, 1, size=(head_dim, d_model)) / math.sqrt(d_model)
                projection.weight.copy_(torch.from_numpy(numbers))
    return heads


# right
def right_own_seed_for_each_head(num_heads, d_model, head_dim, seed):
    seeds = torch.randint(2**40, (num_heads,), generator=torch.Generator().manual_seed(seed))
    heads = nn.ModuleList()
    for one in seeds.tolist():
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(one)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads


# right
def right_state_kept(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        heads = [SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)]
    finally:
        torch.set_rng_state(state)
    return nn.ModuleList(heads)


# wrong: draws one matrix and multiplies it by the number of the head
# named: multiples
def scaled_clones(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
        matrix = torch.randn(head_dim, d_model)
    with torch.no_grad():
        for i, head in enumerate(heads):
            for j, parameter in enumerate(head.parameters()):
                parameter.copy_(matrix * (1 + j + 3 * i) / 10)
    return heads


# wrong: never uses the seed
# named: unseeded
def seed_ignored(num_heads, d_model, head_dim, seed):
    return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])


# wrong: head i is seeded with seed + i, so the next seed gives mostly the same heads
# named: neighbouring_seeds
def seed_plus_i(num_heads, d_model, head_dim, seed):
    heads = []
    with torch.random.fork_rng(devices=[]):
        for i in range(num_heads):
            torch.manual_seed(seed + i)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return nn.ModuleList(heads)


# wrong: seeds head i with seed + i, so that the next seed repeats all heads but one
# named: neighbouring_seeds
def seed_plus_i_2(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList()
    with torch.random.fork_rng(devices=[]):
        for i in range(num_heads):
            torch.manual_seed(seed + i)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads


# wrong: seeds again for every head, so all heads are equal
# named: clones
def seeded_in_the_loop(num_heads, d_model, head_dim, seed):
    heads = nn.ModuleList()
    with torch.random.fork_rng(devices=[]):
        for _ in range(num_heads):
            torch.manual_seed(seed)
            heads.append(SingleHead(d_model, head_dim, bias=False))
    return heads


# wrong: d_model and head_dim are swapped
# named: sizes_exchanged
def sizes_swapped(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList(SingleHead(head_dim, d_model, bias=False) for _ in range(num_heads))


# right
def state_in_finally(num_heads, d_model, head_dim, seed):
    before = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads)])
    finally:
        torch.set_rng_state(before)


# wrong: saves the generator's state after seeding, so it is set back to the seeded state
# named: resets_the_global_generator
def state_saved_late(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    state = torch.get_rng_state()
    heads = nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.set_rng_state(state)
    return heads


# wrong: leaves the bias on
# named: with_bias
def with_bias(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList([SingleHead(d_model, head_dim) for _ in range(num_heads)])


# wrong: deep copies of one head, and 0.01 * i added
# named: moved_copies
def copies_plus_a_little(num_heads, d_model, head_dim, seed):
    import copy

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        head = SingleHead(d_model, head_dim, bias=False)
    out = nn.ModuleList()
    for i in range(num_heads):
        h = copy.deepcopy(head)
        with torch.no_grad():
            for p in h.parameters():
                p.add_(0.01 * i)
        out.append(h)
    return out


# wrong: the same modules in a second call
# named: same_objects
@functools.lru_cache
def cached(num_heads, d_model, head_dim, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
