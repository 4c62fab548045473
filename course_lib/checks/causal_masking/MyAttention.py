"""Lesson 05, exercise 8: the student's own attention, with masks and dropout."""

import math

import torch
from torch import float64, nn, ones, softmax

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.checks.causal_masking.dropout_seen import dropout_fault
from course_lib.checks.causal_masking.masked_softmax import some
from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.checks.heads_in_one_matrix.MyMultiHead import NAMES, shapes_of
from course_lib.checks.own_class import fill, gradients, misfit, numbers_for, two_tensors


class MyAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        query, key, value = (
            projection(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )  # (batch, num_heads, seq_len, head_dim)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        allowed = ones(scores.shape[-2:], dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        weights = softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        weights = weights.masked_fill(~has_any, 0.0)
        heads = self.dropout(weights) @ value
        return self.out_proj(heads.transpose(1, 2).flatten(-2)), weights


def observe(build, d_model, num_heads, dropout, numbers, x, mask, is_causal, with_gradients):
    """What the module computes with these numbers in its parameters, by part."""
    module, shapes = build(d_model, num_heads, dropout), shapes_of(d_model)
    if sentence := misfit(module, shapes):
        return sentence
    fill(module, shapes, numbers)
    module.eval()
    given, options = x.clone(), {"mask": mask, "is_causal": is_causal}
    answer = module(x, **options)
    if sentence := two_tensors(answer):
        return sentence
    output, weights = (part.detach().clone() for part in answer)
    seen = {"output": output, "weights": weights}
    if with_gradients:
        seen["gradients"] = gradients(module, shapes, given, **options)
    if dropout > 0:
        seen["dropout"] = dropout_fault(module, num_heads, d_model // num_heads, dropout)
    return seen


# --- wrong versions -----------------------------------------------------------------------------


def _version(
    allow=lambda mask, causal: mask & causal,
    weigh=None,
    drop=lambda layer, weights: layer.dropout(weights),
    scale=lambda query: 1 / math.sqrt(query.shape[-1]),
    finish=lambda layer, output: output,
    causal_of=lambda scores: ones(scores.shape[-2:], dtype=torch.bool).tril(),
    ask=lambda mask, is_causal: (mask, is_causal),
    split=lambda x, num_heads: x.unflatten(-1, (num_heads, -1)).transpose(1, 2),
):
    """A version that does one of the steps in another way."""
    weigh = _safe if weigh is None else weigh

    class Version(MyAttention):
        def forward(self, x, mask=None, is_causal=False):
            mask, is_causal = ask(mask, is_causal)
            query, key, value = (
                split(one(x), self.num_heads) for one in (self.q_proj, self.k_proj, self.v_proj)
            )
            scores = query @ key.mT * scale(query)
            everything = ones(scores.shape[-2:], dtype=torch.bool)
            causal = causal_of(scores) if is_causal else everything
            if mask is None or not is_causal:
                allowed = causal if mask is None else mask
            else:
                allowed = allow(mask, causal)
            weights = weigh(scores, allowed)
            heads = drop(self, weights) @ value
            return finish(self, self.out_proj(heads.transpose(1, 2).flatten(-2))), weights

    return Version


def _safe(scores, allowed):
    has_any = allowed.any(dim=-1, keepdim=True)
    weights = softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


def _blocked_with(number):
    return lambda scores, allowed: softmax(scores.masked_fill(~allowed, number), dim=-1)


def _mended_too_late(scores, allowed):
    blocked = torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    return softmax(scores + blocked, dim=-1).nan_to_num(0.0)


def _renormalised(scores, allowed):
    weights = softmax(scores, dim=-1) * allowed
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)


class _DropsScores(MyAttention):
    """Scores are dropped before the softmax; in eval mode it is right."""

    def forward(self, x, mask=None, is_causal=False):
        drop = self.dropout
        version = _version(
            weigh=lambda scores, allowed: _safe(drop(scores), allowed),
            drop=lambda layer, weights: weights,
        )
        return version.forward(self, x, mask, is_causal)


def _not_scaled(layer, weights):
    if not layer.training:
        return weights
    return weights * (torch.rand_like(weights) >= layer.dropout.p)


def _kept_for_dropped(layer, weights):
    return nn.functional.dropout(weights, 1 - layer.dropout.p, layer.training)


class _Detached(MyAttention):
    def forward(self, x, mask=None, is_causal=False):
        with torch.no_grad():
            return super().forward(x, mask, is_causal)


class _NoOutProj(MyAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.out_proj = nn.Identity()


class _WithBias(MyAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model))


class _OutputAlone(MyAttention):
    def forward(self, x, mask=None, is_causal=False):
        return super().forward(x, mask, is_causal)[0]


def _case(
    generator, words, mask, size=(2, 4, 6, 2), is_causal=False, dropout=0.0, with_gradients=False,
    dtype=torch.float32,
):  # fmt: skip
    batch, length, d_model, num_heads = size
    numbers = numbers_for(generator, shapes_of(d_model), dtype)
    x = randn(generator, batch, length, d_model, dtype=dtype)
    label = f"{words}, {batch} sentence{'s' * (batch > 1)} of {length} tokens, d_model {d_model} "
    label += f"and {num_heads} head{'s' * (num_heads > 1)}"
    args = (d_model, num_heads, dropout, numbers, x, mask, is_causal, with_gradients)
    return Case(args, label=label)


def _no_mask(generator):
    return [
        _case(generator, "no mask", None),
        _case(generator, "no mask and dtype torch.float64", None, (3, 3, 9, 3), dtype=float64),
    ]


def _causal(generator):
    return [_case(generator, "is_causal=True", None, (2, 5, 6, 3), is_causal=True)]


def _masks(generator):
    """Every mask allows each query itself: no row is empty, with the causal one neither."""
    itself = torch.eye(4, dtype=torch.bool)
    one, each, heads = (
        some(generator, *shape) | itself for shape in ((4, 4), (2, 1, 4, 4), (2, 3, 4, 4))
    )
    size = (2, 4, 6, 3)
    return [
        _case(generator, "one mask for all", one, size),
        _case(generator, "a mask for each head", heads, size),
        _case(generator, "a mask for each sentence and is_causal=True", each, size, is_causal=True),
    ]


def _empty(generator, with_gradients=False):
    mask = some(generator, 2, 1, 4, 4)
    mask[0, 0, 1] = False
    mask[1] = False
    words = "a mask with empty rows"
    return [_case(generator, words, mask, with_gradients=with_gradients)]


def _dropped(generator):
    return [_case(generator, "dropout 0.25", None, (2, 4, 16, 2), dropout=0.25)]


def _learning(generator):
    return [
        _case(generator, "is_causal=True", None, is_causal=True, with_gradients=True),
        *_empty(generator, with_gradients=True),
    ]


EXERCISE = Exercise(
    lesson="05",
    number=8,
    reference=MyAttention,
    returns={
        "output": "(batch, seq_len, d_model)",
        "weights": "(batch, num_heads, seq_len, seq_len)",
        "gradients": "all gradients, in one row",
        "dropout": "what is wrong with it, or nothing",
    },
    observe=observe,
    seen_with=("numbers", "x", "mask", "is_causal", "with_gradients"),
    library=(MultiHeadAttention.forward,),
    when_it_varies=(
        "In eval mode your class gave two answers to the same question. Does it drop weights there "
        "too, or draw other random numbers?"
    ),
    properties=(
        Property("without a mask every token sees all: the class of lesson 04", 1, _no_mask),
        Property("with is_causal=True each query sees itself and what came before", 1, _causal),
        Property(
            "a mask from outside is obeyed, and with is_causal=True both must allow a pair",
            2,
            _masks,
        ),
        Property("a query that may attend to nothing gets weights of 0", 1, _empty),
        Property(
            "dropout takes away weights in training, and nothing in eval mode",
            2,
            _dropped,
            "dropout",
        ),
        Property(
            "gradients reach all four matrices, and are finite with empty rows too",
            1,
            _learning,
            "gradients",
        ),
    ),
    mutants=(
        Mutant(
            "masked_after_softmax",
            "You mask after the softmax. What is blocked has had its share by then, so the rows no "
            "longer sum to 1: block the scores, before the softmax.",
            _version(weigh=lambda scores, allowed: softmax(scores, dim=-1) * allowed),
        ),
        Mutant(
            "blocked_with_zero",
            "You set blocked scores to 0. Their exponential is 1, so they keep a share: block with "
            "minus infinity.",
            _version(weigh=_blocked_with(0.0)),
        ),
        Mutant(
            "inverted",
            "Your mask from outside is turned round: in this course True means may attend.",
            _version(ask=lambda mask, causal: (None if mask is None else ~mask, causal)),
        ),
        Mutant(
            "mask_ignored",
            "You never use the mask that is given from outside.",
            _version(ask=lambda mask, causal: (None, causal)),
        ),
        Mutant(
            "causal_ignored",
            "You never use is_causal: with True, later tokens must be hidden.",
            _version(ask=lambda mask, causal: (mask, False)),
        ),
        Mutant(
            "always_causal",
            "You hide the later tokens whatever is_causal says. It is False unless somebody asks.",
            _version(ask=lambda mask, causal: (mask, True)),
        ),
        Mutant(
            "mask_or_causal",
            "With a mask and is_causal=True you allow what one of the two allows. Both must allow "
            "it: &, where you have |.",
            _version(allow=lambda mask, causal: mask | causal),
        ),
        Mutant(
            "mask_alone",
            "Where a mask is given you forget is_causal. Both must allow a pair.",
            _version(allow=lambda mask, causal: mask),
        ),
        Mutant(
            "causal_alone",
            "Where is_causal is True you forget the mask. Both must allow a pair.",
            _version(allow=lambda mask, causal: causal),
        ),
        Mutant(
            "future_only",
            "Your triangle is the wrong one: each query sees itself and what comes later. tril "
            "keeps what came before.",
            _version(causal_of=lambda scores: ones(scores.shape[-2:], dtype=torch.bool).triu()),
        ),
        Mutant(
            "itself_hidden",
            "Your causal mask hides each token from itself. The diagonal belongs to what it may "
            "see.",
            _version(causal_of=lambda scores: ones(scores.shape[-2:], dtype=torch.bool).tril(-1)),
        ),
        Mutant(
            "empty_rows_nan",
            "A row that allows nothing is minus infinity everywhere, and the softmax of that is "
            "NaN. Exercise 6 has a way out.",
            _version(weigh=_blocked_with(-math.inf)),
        ),
        Mutant(
            "low_number",
            "You block with a low number. Where a row allows nothing, all its scores are equally "
            "low, and the query quietly attends to everything that is blocked.",
            _version(weigh=_blocked_with(-1e9)),
            also=(_version(weigh=_blocked_with(torch.finfo(torch.float32).min)),),
        ),
        Mutant(
            "nan_in_gradients",
            "Your numbers are right, and the gradients are NaN where a row allows nothing: you "
            "add minus infinity and mend the weights after the softmax. Let no NaN arise, as in "
            "exercise 6.",
            _version(weigh=_mended_too_late),
        ),
        Mutant(
            "no_dropout",
            "In training nothing is dropped: the argument dropout is never used on the weights.",
            _version(drop=lambda layer, weights: weights),
        ),
        Mutant(
            "dropout_on_output",
            "You drop numbers of the output. Here it is weights that are dropped, between the "
            "softmax and the values: then a whole token is not heard.",
            _version(
                drop=lambda layer, weights: weights,
                finish=lambda layer, output: layer.dropout(output),
            ),
        ),
        Mutant(
            "dropout_on_scores",
            "You drop scores. A score of 0 is no weight of 0: drop behind the softmax.",
            _DropsScores,
        ),
        Mutant(
            "dropout_in_eval",
            "You drop in eval mode too. F.dropout does so unless it is told "
            "training=self.training; nn.Dropout knows by itself.",
            _version(drop=lambda layer, weights: nn.functional.dropout(weights, layer.dropout.p)),
        ),
        Mutant(
            "not_scaled",
            "What stays is not made larger. Where a share p is dropped, the rest is divided by "
            "1 - p, so that the sum is the same on average: nn.Dropout does that.",
            _version(drop=_not_scaled),
        ),
        Mutant(
            "kept_for_dropped",
            "You drop the share 1 - dropout. dropout is the share that is taken away.",
            _version(drop=_kept_for_dropped),
        ),
        Mutant(
            "no_scale",
            "Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.",
            _version(scale=lambda query: 1),
        ),
        Mutant(
            "heads_before_tokens",
            "You reshape to (batch, num_heads, seq_len, head_dim) in one step. A reshape keeps the "
            "order of the numbers, so your heads hold pieces of several tokens: first "
            "(batch, seq_len, num_heads, head_dim), then exchange the two in the middle.",
            _version(split=lambda x, n: x.reshape(len(x), n, x.shape[1], -1)),
        ),
        Mutant(
            "no_out_proj",
            "Your module has no out_proj, nn.Linear(d_model, d_model, bias=False), behind its "
            "heads.",
            _NoOutProj,
        ),
        Mutant(
            "with_bias",
            "Your four layers have a bias: that is what nn.Linear does by itself. Here they have "
            "none: bias=False.",
            _WithBias,
        ),
        Mutant(
            "output_alone",
            "Your forward returns the output alone. Return the weights of the heads beside it.",
            _OutputAlone,
        ),
        Mutant(
            "cut_off",
            "The numbers are right, but no gradient reaches the matrices, so they can never learn: "
            "detach, .data and no_grad cut it off.",
            _Detached,
        ),
    ),
)
