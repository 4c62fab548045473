"""One small edit anywhere in a solution: when it changes the result, the check must not pass.

The edits are made in the notebooks' solutions and in the checks' own references. Whether an edit
changes the result is decided on inputs that the checks do not use.
"""

import functools
import math

import pytest
import torch
from checks_support import define, mutations, solution_sources, source_of
from remembered_trials import remembered_trials  # noqa: F401 (a fixture)

from course_lib import RotaryEmbedding, SingleHead, causal_mask, checks, masks, padding_mask
from course_lib.checks.judge.answers import same
from course_lib.checks.judge.calling import call, untouched_globals
from course_lib.checks.judge.engine import judge

NAMES = list(checks.ALL)


def attention_with(weights_of):
    def attention(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return attention


def attentions():
    """Right and wrong ones, for the student's test; others than the check's."""
    yield attention_with(lambda scores: torch.softmax(scores / 2, dim=-1))
    yield attention_with(lambda scores: torch.softmax(-scores, dim=-1))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-1]))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-2]))
    yield attention_with(lambda scores: torch.softmax(scores, dim=-2))
    yield attention_with(torch.sigmoid)
    yield attention_with(torch.exp)
    for factor in (0.5, 0.9, 1.1, 2.0):
        yield attention_with(lambda scores, f=factor: f * torch.softmax(scores, dim=-1))


def layers():
    """Equivariant ones and others, for the student's test; others than the check's."""
    yield from (torch.tanh, torch.relu, lambda x: x - x.mean(dim=0), lambda x: x * x.amax(dim=0))
    yield from (lambda x: x.flip(0), lambda x: x.roll(2, 0), lambda x: x.cumprod(dim=0))
    yield lambda x: x * torch.arange(1.0, len(x) + 1).unsqueeze(-1)
    yield lambda x: x + x[:1]
    yield lambda x: torch.softmax(x, dim=0).cummax(dim=0).values


def layers_in_time():
    """Causal ones and others, for the student's test; others than the check's."""
    yield from (torch.sin, lambda x: x.cummax(dim=0).values, lambda x: x - x.roll(2, 0) / 3)
    yield from (lambda x: x.flip(0).cumsum(dim=0), lambda x: x.roll(-1, 0), lambda x: x - x[-1:])
    yield lambda x: torch.cat([x[:1] + x[1:2], x[1:]])
    yield lambda x: torch.cat([x[:3], x[3:4] * x[4:5].mean(), x[4:]])
    yield lambda x: torch.cat([x[:-2], x[-2:-1] - x[-1:], x[-1:]])


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


def layers_of_batches():
    """(batch, seq_len, d_model) to the same, for the student's probes; others than the check's."""
    yield from (torch.sin, lambda x: x.flip(1), lambda x: x - x.mean(dim=2, keepdim=True))
    yield from (lambda x: x * x.amax(dim=1, keepdim=True), lambda x: x.cummax(dim=1).values)
    yield from (lambda x: x - x.amin(dim=(0, 1)), lambda x: x + x.flip(0), lambda x: x * x[:1])
    yield lambda x: x + x.roll(1, 1) / 2
    yield lambda x: torch.cat([x[:, :-1], x[:, -1:] - x[:, 2:3]], dim=1)
    yield lambda x: torch.cat([x[:-1], x[-1:] - x[-2:-1]])


class Clock:
    """Goes on only when one of its jobs runs; the jobs' times are given call by call."""

    def __init__(self):
        self.now = 0.0

    def read(self):
        return self.now


class Job:
    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, list(seconds)

    def __call__(self):
        self.clock.now += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]


class Shared(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 2), torch.nn.Linear(4, 3)
        self.act = torch.nn.Sequential(torch.nn.ReLU())

    def forward(self, x):
        y = self.act(self.first(self.act(self.second(x))))
        return y, x


def random_masks(generator, *shape):
    """No row is empty."""
    mask = torch.rand(*shape, generator=generator) < 0.5
    mask[..., -1] |= ~mask.any(dim=-1)
    return mask


def cross(attend, x, memory):
    return attend(x, memory, memory)


def cross_transposed(attend, x, memory):
    output, weights = attend(x, memory, memory)
    return output, weights.mT


def readers():
    """One answer per sentence, right ones and others; others than the check's."""

    def real(source, lengths):
        return (torch.arange(source.shape[1]) < lengths[:, None])[..., None]

    def largest(source, lengths):
        return source.masked_fill(~real(source, lengths), -torch.inf).amax(dim=1)

    yield from (largest, lambda source, lengths: source[:, 0] * lengths[:, None])
    yield from (lambda source, lengths: source.amax(dim=1), lambda source, lengths: source[:, -1])
    yield lambda source, lengths: largest(source, lengths) - source[:1, 0]
    yield lambda source, lengths: largest(source, lengths).cumsum(dim=0)
    yield lambda source, lengths: largest(source, lengths) / lengths.max()
    yield lambda source, lengths: largest(source, lengths) / len(lengths)


def positions_for_batches(randn):
    """Right ones and others, for the student's test; others than the check's."""
    table = randn(40, 3)
    yield from (lambda x: x - table[: x.shape[1]], lambda x: x * table[: x.shape[1]])
    yield from (lambda x: x + table[x.shape[0]], lambda x: -x, lambda x: x + x.cumsum(dim=0))
    yield lambda x: x + table[torch.arange(x.shape[1]).clamp(max=x.shape[1] - 2)]
    yield lambda x: x + table[torch.arange(x.shape[1]) % 6]
    yield lambda x: x + table[: x.shape[1]] * len(x)
    yield lambda x: torch.cat([x[:-1] + table[: x.shape[1]], x[-1:] - table[: x.shape[1]]])


def positions_for_pairs(randn):
    """(for queries, for keys), right ones and others; others than the check's."""

    def place(x):
        return torch.arange(len(x))[:, None]

    turn = RotaryEmbedding(6, base=50.0)
    yield from ((turn, turn), (turn, lambda x: 2 * turn(x, 3)), (turn, lambda x: turn(turn(x))))
    yield from ((turn, torch.tanh), (torch.tanh, torch.exp), (lambda x: -x, turn))
    yield (lambda x: x * (1 + place(x)),) * 2
    yield (lambda x: x * torch.exp(place(x) / 9), lambda x: x * torch.exp(-place(x) / 9))
    yield (lambda x: x + (place(x) == 16) * randn(6), torch.clone)


class DropsOutput(torch.nn.Module):
    """Adds 1 to some features, dropped once or twice, for the student's test."""

    def __init__(self, p, times):
        super().__init__()
        self.drop, self.times = torch.nn.Dropout(p), times

    def forward(self, x):
        update = (torch.arange(x.shape[-1]) % 3 > 0).float().expand_as(x)
        for _ in range(self.times):
            update = self.drop(update)
        return x + update


def masked_weights(scores, mask):
    return masks.masked_softmax(scores, mask)


def look_up(accuracies, removed):
    """A model's accuracy without some heads: another one for each set of them."""
    return accuracies[sum(2**head for head in set(removed))]


def inputs(name, generator):
    """Argument tuples of sizes and values other than the check's."""

    def randn(*shape):
        return torch.randn(*shape, generator=generator)

    if name == "attend_by_hand":
        for count, d, d_v in ((2, 1, 1), (6, 4, 3), (3, 5, 5)):
            shapes = ((d,), (count, d), (count, d_v))
            yield tuple((randn(*shape) / math.sqrt(d)).tolist() for shape in shapes)
    elif name == "attend_all":
        for t_q, t_k, d, d_v in ((2, 2, 2, 2), (7, 5, 3, 6), (1, 6, 4, 1)):
            yield randn(t_q, d), randn(t_k, d), randn(t_k, d_v)
    elif name == "stable_softmax":
        for scale in (1, 30, 3000):
            for shape in ((7,), (5, 2), (3, 1, 4), (2, 3, 2, 5)):
                yield (scale * randn(*shape),)
    elif name == "weights_at":
        for temperature in (0, 0.0, 0.3, 1.0, 5):
            for shape in ((6,), (5, 2), (3, 2, 4)):
                yield randn(*shape), temperature
                yield randn(*shape).round(), temperature
    elif name == "rows_sum_to_one":
        yield from ((attention,) for attention in attentions())
    elif name in ("project_qkv", "single_head"):
        for shape, head_dim in (((4, 4), 4), ((5, 3), 6), ((2, 7), 2), ((3, 2, 5), 5)):
            yield randn(*shape), *(randn(head_dim, shape[-1]) / 2 for _ in range(3))
    elif name == "scaled_scores":
        for lead, t_q, t_k, d in (((), 3, 3, 3), ((4,), 4, 4, 4), ((3, 1), 2, 6, 9)):
            yield randn(*lead, t_q, d), randn(*lead, t_k, d)
    elif name == "is_equivariant":
        yield from ((layer, randn(9, 3)) for layer in layers())
    elif name == "softmax_jacobian":
        yield from ((torch.softmax(2 * randn(length), dim=0),) for length in (2, 4, 7))
    elif name == "concatenate":
        for shape in ((2, 4, 4), (4, 2, 2, 3), (3, 2, 3, 1, 2), (1, 2, 2)):
            yield (randn(*shape),)
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
    elif name == "split_heads":
        for shape, heads in (((2, 2, 6), 3), ((1, 4, 4), 4), ((3, 4, 10), 2)):
            yield randn(*shape), heads
    elif name == "combine_heads":
        for shape in ((3, 2, 4, 2), (1, 4, 1, 3), (2, 2, 5, 1), (4, 4, 4, 4)):
            yield (randn(*shape),)
    elif name == "probe_layer":
        yield from ((layer, randn(3, 9, 5)) for layer in layers_of_batches())
    elif name == "heads_to_matrix":
        for heads, head_dim, d_model in ((4, 1, 3), (2, 3, 6), (5, 2, 2)):
            linears = (torch.nn.Linear(d_model, head_dim) for _ in range(heads))
            yield (torch.nn.ModuleList(linears),)
    elif name == "head_parts":
        for d_model, heads, i in ((6, 3, 2), (10, 2, 0), (5, 5, 3), (9, 3, 1)):
            yield randn(d_model, d_model), randn(d_model, d_model), heads, i
    elif name == "unpack_gpt2":
        yield from ((randn(d_model, 3 * d_model),) for d_model in (3, 5, 8))
    elif name == "unpack_neox":
        for d_model, heads in ((6, 3), (10, 2), (5, 5), (4, 1)):
            yield randn(3 * d_model, d_model), heads
    elif name == "trace_shapes":
        yield Shared(), randn(5, 4)
        yield torch.nn.Sequential(Shared(), torch.nn.Identity()), randn(2, 5, 4)
        yield torch.nn.Flatten(), randn(2, 3, 4)
    elif name == "relative_costs":
        for rounds in (3, 9):
            clock = Clock()
            jobs = (Job(clock, (randn(20) ** 2 + 1).tolist()) for _ in range(3))
            yield tuple(jobs), clock.read, rounds
    elif name == "causal_mask":
        yield from ((6, 6), (1, 3), (2, 9), (3, 4))
    elif name == "leaks":
        yield from ((layer, randn(7, 3)) for layer in layers_in_time())
    elif name in ("masked_softmax", "safe_masked_softmax"):
        for shape, of_mask in (((6, 2), (6, 2)), ((3, 2, 5), (3, 1, 5)), ((2, 4, 3, 3), (3, 3))):
            mask = random_masks(generator, *of_mask)
            yield 5 * randn(*shape), mask
            if name == "safe_masked_softmax":
                mask[..., -1, :] = False
                yield 5 * randn(*shape), mask
    elif name == "masked_call":
        for heads, batch, length in ((1, 1, 2), (3, 2, 5)):
            layer = torch.nn.MultiheadAttention(6, heads, batch_first=True)
            yield layer, randn(batch, length, 6), random_masks(generator, length, length)
    elif name == "expand_mask":
        for shape in ((4, 4), (3, 4, 4), (3, 2, 5), (3, 3, 4, 2), (1, 3, 2, 2)):
            yield random_masks(generator, *shape), 3, 3
        yield random_masks(generator, 5, 2, 2), 5, 2
    elif name == "sliding_window_mask":
        yield from ((6, 1), (6, 2), (7, 5), (3, 8))
    elif name == "cross_attend":
        for lead, query_len, key_len, d in (((), 4, 4, 3), ((), 5, 3, 4), ((3, 2), 2, 5, 4)):
            weights = (randn(3, d) for _ in range(3))
            yield randn(*lead, query_len, d), randn(*lead, key_len, d), *weights
    elif name == "padding_mask":
        for lengths, max_len in (([1, 2, 3], 3), ([5, 0], 6), ([2, 2, 1, 4], 4)):
            yield torch.tensor(lengths), max_len
    elif name == "combine_masks":
        for batch, length in ((2, 5), (4, 4), (1, 3)):
            padding = torch.rand(batch, 1, 1, length, generator=generator) < 0.6
            yield padding, random_masks(generator, length, length)
    elif name == "rows_are_queries":
        for weights_of in (torch.sigmoid, torch.exp, lambda scores: torch.softmax(-scores, -1)):
            attend = attention_with(weights_of)
            for query_len, key_len in ((2, 4), (3, 3)):
                x, memory = randn(query_len, 5), randn(key_len, 5)
                yield functools.partial(cross, attend), x, memory
                yield functools.partial(cross_transposed, attend), x, memory
    elif name == "attend_safely":
        for lengths, heads, key_len in (
            ([1, 3], 1, 3),
            ([0, 2, 4], 3, 5),
            ([0], 2, 1),
            ([0], 1, 0),
        ):
            parts = (randn(len(lengths), heads, n, 5) for n in (3, key_len, key_len))
            yield *parts, padding_mask(lengths, key_len)
    elif name == "depends_on_neighbours":
        yield from ((model, randn(4, 5, 3), torch.tensor([3, 5, 1, 4])) for model in readers())
    elif name == "layer_norm":
        for shape, spread, eps in (((2, 6), 1, 1e-5), ((2, 2, 3), 0.01, 1e-4), ((3, 3), 2, 0.3)):
            yield spread * randn(*shape) + 1, randn(shape[-1]), randn(shape[-1]), eps
        yield torch.ones(2, 4), randn(4), randn(4), 1e-3
    elif name == "feed_forward":
        for lead, d_model, d_ff in (((3,), 5, 2), ((2, 2), 2, 4), ((5,), 5, 5)):
            maps = randn(d_ff, d_model), randn(d_ff), randn(d_model, d_ff), randn(d_model)
            yield randn(*lead, d_model), *maps
    elif name == "block_step":
        for shape in ((3, 5), (2, 4, 3)):
            weight, shift = randn(shape[-1], shape[-1]), randn(shape[-1])
            sublayer = functools.partial(torch.matmul, other=weight)
            norm = functools.partial(torch.add, shift)
            yield from ((randn(*shape), sublayer, norm, first) for first in (True, False))
            norm = functools.partial(torch.softmax, dim=-1)
            yield from ((randn(*shape), torch.sin, norm, first) for first in (True, False))
    elif name == "sinusoidal_positions":
        yield from ((4, 6), (9, 2), (3, 10), (30, 6))
    elif name == "add_learned":
        for shape, max_len, offset in (((2, 5, 3), 9, 0), ((4, 2, 6), 7, 3), ((3, 1, 2), 5, 4)):
            yield randn(*shape), randn(max_len, shape[-1]), offset
    elif name == "rotary":
        for shape, first in (((4, 6), 0), ((3, 5, 2), 1), ((2, 4, 3, 8), 5), ((2, 2, 9, 4), 30)):
            yield randn(*shape), first
    elif name == "places_by_time":
        yield from ((function, randn(4, 7, 3)) for function in positions_for_batches(randn))
    elif name == "depends_on_distance_only":
        yield from ((*functions, 17, 6) for functions in positions_for_pairs(randn))
    elif name == "alibi_scores":
        for shape in ((2, 3, 5, 5), (3, 2, 2, 4), (1, 4, 1, 6), (2, 2, 3, 3)):
            yield randn(*shape), randn(shape[1]) ** 2 + 0.1
    elif name == "drops_twice":
        for p in (0.5, 0.6):
            for times in (1, 2):
                for mode in (True, False):
                    yield DropsOutput(p, times).train(mode), randn(4, 30, 20), p
                    yield DropsOutput(0.5, times).train(mode), randn(1, 2, 4), 0.5
    elif name == "gpt2_parameters":
        yield from ((9, 4, 3, 2), (17, 6, 5, 3), (100, 10, 4, 1))
    elif name == "encode":
        for activation in ("relu", "gelu"):
            for norm_first in (True, False):
                for norm in (None, torch.nn.LayerNorm(6)):
                    layer = torch.nn.TransformerEncoderLayer(
                        6, 2, 7, 0.0, activation, batch_first=True, norm_first=norm_first
                    )
                    encoder = torch.nn.TransformerEncoder(
                        layer, 2, norm, enable_nested_tensor=False
                    )
                    for parameter in encoder.parameters():
                        parameter.data.copy_(randn(*parameter.shape))
                    yield encoder.eval(), randn(2, 4, 6)
    elif name == "paths_by_length":
        for count, shape in ((2, (1, 3)), (4, (2, 2)), (3, (2, 2, 5)), (1, (4, 4)), (0, (2, 3))):
            yield randn(*shape), randn(count, shape[-1], shape[-1]) / 2
    elif name == "entropy_share":
        for shape in ((2, 2, 4, 4), (1, 3, 7, 7)):
            yield randn(*shape).softmax(-1), torch.ones(shape[2:], dtype=torch.bool)
            yield masked_weights(randn(*shape), causal_mask(shape[-1])), causal_mask(shape[-1])
        mask = padding_mask([2, 6, 1], 6)
        yield masked_weights(randn(3, 1, 3, 6), mask), mask
    elif name == "previous_token":
        for shape in ((1, 1, 4, 4), (2, 2, 3, 3), (3, 2, 6, 6)):
            yield (randn(*shape).softmax(-1),)
    elif name == "induction":
        for batch, length, symbols in ((1, 5, 3), (3, 7, 3), (2, 4, 2)):
            tokens = torch.randint(symbols, (batch, length), generator=generator)
            yield randn(batch, 2, length, length).softmax(-1), tokens
    elif name == "cost_and_control":
        for num_heads, chosen in ((4, (0,)), (5, (2, 4)), (6, (0, 1, 2))):
            left = torch.rand(2**num_heads, generator=generator).tolist()
            yield functools.partial(look_up, left), num_heads, chosen
    elif name == "near_share":
        for shape, width in (((2, 2, 3, 3), 1), ((1, 3, 6, 6), 3), ((2, 1, 5, 5), 2)):
            mask = causal_mask(shape[-1])
            yield randn(*shape).softmax(-1), width, torch.ones_like(mask)
            yield masked_weights(randn(*shape), mask), width, mask
    elif name == "subject_head":
        for num_layers, num_heads in ((2, 2), (3, 4), (4, 3)):
            places = (torch.randint(6, (5,), generator=generator) for _ in range(2))
            yield randn(num_layers, 5, num_heads, 6, 6).softmax(-1), *places
    elif name == "rungs":
        names = ("score", "baseline", "cost", "control", "found", "predicted")
        for count in (1, 2):
            rows = 0.4 * torch.rand(40, count, 6, generator=generator) + torch.tensor(
                [0.4, 0, 0.4, 0, 0, 0]
            )
            claims = [[dict(zip(names, row, strict=True)) for row in c] for c in rows.tolist()]
            yield tuple(map(tuple, claims)), 0.2
    else:
        raise AssertionError(f"no inputs for {name}: add a few, others than the check's own")


def changes_the_result(exercise, original, edited):
    for seed in range(4):
        generator = torch.Generator().manual_seed(1000 + seed)
        for args in inputs(exercise.name, generator):
            want, got = (call(exercise, function, args, seed) for function in (original, edited))
            if type(want.error) is not type(got.error) or want.bad_form != got.bad_form:
                return True
            parts = want.answer or ()
            if not all(same(want.answer[part], got.answer[part]) for part in parts):
                return True
    return False


def edits(name):
    """(what was done, the original function, the edited one), of the notebook and the reference."""
    notebook = solution_sources()[name][0]
    for what, source in mutations(notebook):
        yield f"{what}\n{source}", define(notebook, name), define(source, name)
    reference = checks.ALL[name].exercise.reference
    for what, source in mutations(source_of(reference)):
        yield f"{what}\n{source}", reference, define(source, name, reference.__globals__)


@pytest.mark.parametrize("name", NAMES)
def test_every_edit_that_changes_the_result_is_caught(name, capsys):
    exercise = checks.ALL[name].exercise
    changing, missed = 0, []
    with untouched_globals():
        for what, original, edited in edits(name):
            if changes_the_result(exercise, original, edited):
                changing += 1
                if any(judge(exercise, edited, seed).status == "pass" for seed in range(3)):
                    missed.append(what)
    with capsys.disabled():
        caught = changing - len(missed)
        print(f"\n{name}: {caught} of {changing} edits caught", end="")
    assert changing >= 4
    assert not missed, "\n".join(missed)
