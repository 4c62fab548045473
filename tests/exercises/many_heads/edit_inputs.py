"""Inputs for the exercises on many heads, of other sizes and values than the checks' own."""

import functools

import torch

from course_lib import SingleHead


def clones(randn):
    """Three heads, their W_O and an input, for the student's test of whether they stay equal."""
    for heads_alike in (True, False):
        for change in ("nothing", "the last block", "the order in a block", "all to zero"):
            heads = torch.nn.ModuleList(SingleHead(4, 2, bias=False) for _ in range(3))
            out_proj = torch.nn.Linear(6, 4, bias=False)
            with torch.no_grad():
                for parameter in heads.parameters():
                    parameter.copy_(randn(*parameter.shape))
                out_proj.weight.copy_(randn(4, 2).repeat(1, 3))
                if change == "the last block":
                    out_proj.weight[:, 4:] += 1
                if change == "the order in a block":
                    out_proj.weight[:, 2:4] = out_proj.weight[:, :2].flip(0)
                if change == "all to zero":
                    out_proj.weight.zero_()
            if heads_alike:
                for head in heads[1:]:
                    head.load_state_dict(heads[0].state_dict())
            yield heads, out_proj, randn(2, 3, 4)


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "MyHeads":
        for batch, length, d_model, num_heads in ((2, 2, 4, 2), (1, 4, 6, 3), (3, 2, 4, 4)):
            of_heads = [(d_model // num_heads, d_model)] * 3 * num_heads
            numbers = tuple(randn(*shape) / 2 for shape in (*of_heads, (d_model, d_model)))
            yield d_model, num_heads, numbers, randn(batch, length, d_model), True
    elif name == "mix_heads":
        for shape, d_model in (((2, 2, 3), 6), ((4, 2, 1, 2), 5), ((3, 5, 1), 3)):
            yield randn(*shape), randn(d_model, shape[0] * shape[-1]) / 2
    elif name == "make_heads":
        yield from ((2, 3, 3, 17), (3, 6, 1, 0), (5, 2, 4, 123))
    elif name == "three_targets":
        for batch, num_items in ((3, 7), (2, 8)):
            items = randn(batch, 30).argsort(dim=-1)[:, :num_items]
            yield items, randn(batch, num_items).argsort(dim=-1)
    elif name == "stay_identical":
        yield from clones(randn)
    elif name == "predict_row":
        yield from (([1, 3, 2], 2, 5), ([4, 1], 7, 3), ([2, 6, 9], 5, 12))
