"""Inputs for the exercises on a real language model, of other sizes and values than the checks'."""

import functools

import torch


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "rms_norm":
        for shape, spread, eps in (((2, 6), 1, 1e-5), ((2, 2, 3), 0.01, 1e-4), ((3, 3), 2, 0.3)):
            yield spread * (randn(*shape) + 1), randn(shape[-1]), eps
        yield torch.zeros(2, 4), randn(4), 1e-3
        yield 0.2 * randn(3, 5), randn(5), 0.6
    elif name == "swiglu":
        for lead, d_model, d_ff in (((3,), 5, 2), ((2, 2), 2, 4), ((5,), 5, 5)):
            maps = randn(d_ff, d_model), randn(d_ff, d_model), randn(d_model, d_ff)
            yield randn(*lead, d_model), *maps
    elif name == "parts_of_head":
        for num_heads, num_kv_heads, head_dim, d_model in (
            (6, 2, 3, 18), (8, 4, 2, 16), (10, 2, 3, 9), (4, 4, 2, 6), (6, 3, 1, 20), (5, 1, 4, 20)
        ):  # fmt: skip
            rows = num_heads * head_dim, num_kv_heads * head_dim, num_kv_heads * head_dim
            weights = [randn(count, d_model) for count in rows]
            for head in (0, 1, num_heads // 2, num_heads - 1):
                yield *weights, head, num_heads, num_kv_heads
    elif name == "neighbours_to_halves":
        for num_heads, head_dim, d_model in ((2, 12, 24), (3, 6, 7), (1, 10, 3), (5, 4, 60)):
            yield randn(num_heads * head_dim, d_model), num_heads
    elif name == "next_token_probs":
        for shape, temperature, top_k in (
            ((5,), 0.7, None), ((3, 5), 3.0, 2), ((2, 2, 8), 1.3, 5), ((2, 6), 0.3, 1)
        ):  # fmt: skip
            yield randn(*shape), temperature, top_k
    elif name == "previous_token_head":
        for num_layers, num_heads, *lengths in ((2, 2, 4), (3, 5, 4, 7), (5, 3, 2, 6, 3)):
            masks = [torch.ones(length, length).tril() for length in lengths]
            drawn = [randn(num_layers, num_heads, *mask.shape).exp() * mask for mask in masks]
            yield (tuple(each / each.sum(dim=-1, keepdim=True) for each in drawn),)
    elif name == "matched_control":
        for num_layers, num_heads, count in ((2, 3, 2), (3, 3, 4), (2, 5, 4), (4, 2, 5)):
            heads = [(layer, head) for layer in range(num_layers) for head in range(num_heads)]
            lots = [torch.randperm(len(heads), generator=generator).tolist() for _ in range(2)]
            chosen, order = ([heads[i] for i in lot] for lot in lots)
            yield chosen[:count], order
    elif name == "head_claim":
        yield ()
    elif name == "turn_and_repeat":
        for num_kv_heads, num_heads, head_dim in ((1, 3, 2), (2, 4, 4), (3, 3, 2)):
            for turn in (None, torch.sin, lambda heads: heads.cumsum(dim=-2)):
                yield randn(2, 3, num_kv_heads * head_dim), num_heads, head_dim, turn
