"""The heads on which the student's test of lesson 03, exercise 5 is run."""

import torch
from torch import nn

from course_checks.exercise import Case, randn
from course_lib.attention.single_head import SingleHead

D_MODEL, HEAD_DIM = 6, 3


def _fill(generator, module):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(randn(generator, *parameter.shape) / D_MODEL**0.5)
    return module


def _heads(generator, num_heads, clones):
    """``num_heads`` heads of which the first ``clones`` hold the same numbers."""
    heads = nn.ModuleList(SingleHead(D_MODEL, HEAD_DIM, bias=False) for _ in range(num_heads))
    _fill(generator, heads)
    for head in heads[1:clones]:
        head.load_state_dict(heads[0].state_dict())
    return heads


def _out_proj(generator, num_heads, equal_blocks):
    """A linear layer in which the first ``equal_blocks`` heads own the same columns."""
    out_proj = _fill(generator, nn.Linear(num_heads * HEAD_DIM, D_MODEL, bias=False))
    blocks = out_proj.weight.detach().unflatten(1, (num_heads, HEAD_DIM))
    blocks[:, 1:equal_blocks] = blocks[:, :1]
    return out_proj


def _case(generator, label, heads, out_proj, expected=False):
    return Case((heads, out_proj, randn(generator, 2, 4, D_MODEL)), expected, label)


def _made(generator, label, num_heads, clones, equal_blocks):
    heads = _heads(generator, num_heads, clones)
    out_proj = _out_proj(generator, num_heads, equal_blocks)
    is_symmetric = clones == equal_blocks == num_heads
    return _case(generator, label, heads, out_proj, is_symmetric)


def _symmetric(generator):
    words = "equal heads with equal blocks of W_O"
    return [_made(generator, f"{count} {words}", count, count, count) for count in (2, 3)]


def broken_by_w_out(generator):
    return [
        *_symmetric(generator),
        _made(generator, "2 equal heads with different blocks of W_O", 2, 2, 0),
        _made(generator, "4 equal heads, of which the last has another block of W_O", 4, 4, 3),
        _second_differs(generator),
    ]


def _second_differs(generator):
    out_proj = _out_proj(generator, 4, 4)
    with torch.no_grad():
        block = out_proj.weight[:, HEAD_DIM : 2 * HEAD_DIM]
        block += randn(generator, *block.shape)
    words = "4 equal heads, of which the second has another block of W_O"
    return _case(generator, words, _heads(generator, 4, 4), out_proj)


def _one_projection_differs(generator, name):
    heads = _heads(generator, 3, 3)
    _fill(generator, getattr(heads[0], name))
    label = f"3 heads with equal blocks of W_O, of which the first has another {name}"
    return _case(generator, label, heads, _out_proj(generator, 3, 3))


def broken_by_heads(generator):
    return [
        *_symmetric(generator),
        _made(generator, "2 different heads with equal blocks of W_O", 2, 0, 2),
        _made(generator, "2 different heads with different blocks of W_O", 2, 0, 0),
        _made(generator, "3 heads with equal blocks of W_O, of which the last differs", 3, 2, 3),
        *(_one_projection_differs(generator, name) for name in ("q_proj", "k_proj", "v_proj")),
        _in_pairs(generator),
    ]


def _in_pairs(generator):
    """Of four heads, the first two are clones and the last two, with their blocks of W_O."""
    heads, out_proj = _heads(generator, 4, 2), _out_proj(generator, 4, 2)
    heads[3].load_state_dict(heads[2].state_dict())
    blocks = out_proj.weight.detach().unflatten(1, (4, HEAD_DIM))
    blocks[:, 3] = blocks[:, 2]
    return _case(generator, "4 heads, of which 0 and 1 are equal, and 2 and 3", heads, out_proj)


def _negated(generator):
    """Two heads with the same output: the minus signs of query and key cancel."""
    heads = _heads(generator, 2, 2)
    with torch.no_grad():
        heads[1].q_proj.weight.neg_()
        heads[1].k_proj.weight.neg_()
    return heads


def _slightly_different(generator):
    heads = _heads(generator, 2, 2)
    with torch.no_grad():
        for parameter in heads[1].parameters():
            parameter.add_(0.005 * randn(generator, *parameter.shape).sign())
    return heads


def _in_another_order(generator):
    """Two heads with the same numbers, which stand in other places."""
    heads = _heads(generator, 2, 2)
    with torch.no_grad():
        for parameter in heads[1].parameters():
            parameter.copy_(parameter.flip(0, 1))
    return heads


def sly(generator):
    """Cases in which one loss, or one half of the argument, sees no difference."""
    shuffled, turned, rows, nothing = (_out_proj(generator, 2, 2) for _ in range(4))
    with torch.no_grad():
        shuffled.weight[:, HEAD_DIM:] = shuffled.weight[:, :HEAD_DIM].roll(1, dims=0)
        turned.weight[:, HEAD_DIM:] = turned.weight[:, :HEAD_DIM].roll(1, dims=1)
        rows.weight.copy_(randn(generator, D_MODEL // 2, D_MODEL).repeat(2, 1))
        nothing.weight.zero_()
    return [
        *_symmetric(generator),
        _case(
            generator,
            "2 equal heads whose blocks of W_O hold the same numbers in other rows, so that only "
            "the sums of their columns are equal",
            _heads(generator, 2, 2),
            shuffled,
        ),
        _case(
            generator,
            "2 equal heads whose blocks of W_O hold the same numbers in other columns",
            _heads(generator, 2, 2),
            turned,
        ),
        _case(
            generator,
            "2 equal heads, and a W_O whose upper half equals its lower half",
            _heads(generator, 2, 2),
            rows,
        ),
        _case(generator, "2 different heads, and a W_O of zeros", _heads(generator, 2, 0), nothing),
        _case(
            generator,
            "2 heads with equal outputs, because q_proj and k_proj of the second are those of the "
            "first times -1",
            _negated(generator),
            _out_proj(generator, 2, 2),
        ),
        _case(
            generator,
            "2 heads whose numbers differ by 0.005",
            _slightly_different(generator),
            _out_proj(generator, 2, 2),
        ),
        _case(
            generator,
            "2 heads that hold the same numbers in another order",
            _in_another_order(generator),
            _out_proj(generator, 2, 2),
        ),
    ]
