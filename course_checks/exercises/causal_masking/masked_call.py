"""Lesson 05, exercise 4: torch's own layer under our mask."""

import torch
from torch import logical_not, nn

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.exercises.causal_masking.masked_softmax import causal, some
from course_checks.judge.calling import call
from course_lib.model.conversion import attention_from_torch

D_MODEL = 4


def masked_call(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=logical_not(mask), need_weights=True)
    return output, weights


MISTAKES = """
same_polarity: _with_mask(lambda mask: mask)
or: lambda layer, x, mask: \
        layer(x, x, x, attn_mask=x.new_zeros(mask.shape).masked_fill(mask, -torch.inf))
    You block what our mask allows. In nn.MultiheadAttention True means blocked, and so does minus
    infinity: under a causal mask your tokens see the future alone, and the last one, which has no
    future, sees nothing (NaN).
no_mask: lambda layer, x, mask: layer(x, x, x)
    Your layer is called without the mask, so every token sees the whole sentence.
mask_added: lambda layer, x, mask: layer(x, x, x, attn_mask=mask.to(x.dtype))
or: _with_mask(lambda mask: mask.float())
    Your mask is a float tensor of 1 (allowed) and 0. torch adds a float mask to the scores: that
    blocks nothing. Keep it boolean, or use 0 and minus infinity.
blocked_added: lambda layer, x, mask: layer(x, x, x, attn_mask=(~mask).to(x.dtype))
or: _with_mask(lambda mask: (~mask).float())
    Your mask is a float tensor of 1 (blocked) and 0. torch adds a float mask to the scores, so the
    blocked ones gain: keep it boolean, or use minus infinity for 1.
transposed: _with_mask(lambda mask: ~mask.T)
    Your mask is transposed: its rows are the queries in torch as well. Turn True and False round,
    not rows and columns.
turned: lambda layer, x, mask: layer(x, x, x, attn_mask=mask.T)
    You hand over mask.T. Under a causal mask that blocks the future and each token itself too, so
    the first has nothing (NaN); under other masks it is plainly wrong. torch wants True and False
    turned round, ~mask, and no transpose.
key_padding: lambda layer, x, mask: layer(x, x, x, logical_not(mask))
    Your mask went to key_padding_mask, the fourth argument of the layer, which is (batch, seq_len).
    With as many sentences as tokens torch takes it without a word, else it complains: write
    attn_mask=.
padding_row: lambda layer, x, mask: \
        layer(x, x, x, key_padding_mask=logical_not(mask[-1]).expand(len(x), -1))
or: lambda layer, x, mask: layer(x, x, x, key_padding_mask=logical_not(mask[0]).expand(len(x), -1))
    You use key_padding_mask, which blocks the same keys for every query of a sentence: it is made
    for padding. A mask with a row for each query goes to attn_mask.
always_causal: _with_mask(lambda mask: ~causal(*mask.shape))
    You build a causal mask of your own and ignore the one you are given.
weights_masked_after: _weights_masked_after
    You mask the weights that the layer returns. Its output was made from the unmasked ones before
    that, and the rows no longer sum to 1: the mask has to go in.
number_added: _with_number(-1000000000.0) || _with_number(-10.0) || _with_number(-100.0)
or: _with_number(-10000.0)
    You add a number to the blocked scores. Where a blocked score is larger than an allowed one by
    more than that, it wins all the same: keep the mask boolean, or use 0 and minus infinity.
weights_per_head: lambda layer, x, mask: layer(x, x, x, attn_mask=~mask, average_attn_weights=False)
    You return the weights of each head. As the layer returns them by itself they are averaged over
    the heads: leave out average_attn_weights=False.
without_weights: lambda layer, x, mask: layer(x, x, x, attn_mask=~mask, need_weights=False)
    Your weights are None. need_weights=False leaves them out: the layer returns them when it is
    left at True.
output_alone: lambda *args: masked_call(*args)[0]
    You return the output alone. The layer returns two things: hand both on.
swapped: lambda *args: masked_call(*args)[::-1]
    The two answers are in the other order: the output comes first, then the weights.
first_sentence_only: lambda layer, x, mask: masked_call(layer, x[:1], mask)
    You hand over the first sentence alone. The layer takes the whole batch.
time_first: _time_first
    You hand x over with the tokens first. This layer has batch_first=True: it takes (batch,
    seq_len, d_model) as it is.
tokens_zeroed: lambda layer, x, mask: layer(*[x * mask.all(dim=0)[None, :, None]] * 3)
    You set tokens to zero that some query may not see. A token of zeros still has a score and takes
    its share, and the others lose sight of it: the mask goes to attn_mask.
weights_times_x: _weights_times_x
    Your weights are right, and you multiply them with x itself. The layer has a matrix for the
    values and one behind the heads: take the output that it returns.
without_matrices: _without_matrices
    You compute attention of x itself and never call the layer: its matrices are missing.
mode_changed: lambda layer, x, mask: masked_call(layer.eval(), x, mask)
    {MODE}
detached: lambda layer, x, mask: masked_call(layer, x.detach(), mask)
or: torch.no_grad()(lambda *args: masked_call(*args))
    {CUT_OFF}
"""


def _with_mask(mask_of):
    """A version that hands torch another mask."""
    return lambda layer, x, mask: layer(x, x, x, attn_mask=mask_of(mask))


def _weights_masked_after(layer, x, mask):
    output, weights = layer(x, x, x)
    return output, weights * mask


def _with_number(number):
    """A version that adds a number to blocked scores."""
    return lambda layer, x, mask: layer(x, x, x, attn_mask=(~mask).to(x.dtype) * number)


def _time_first(layer, x, mask):
    turned = x.transpose(0, 1)
    output, weights = layer(turned, turned, turned, attn_mask=~mask)
    return output.transpose(0, 1), weights


def _weights_times_x(layer, x, mask):
    weights = masked_call(layer, x, mask)[1]
    return weights @ x, weights


def _without_matrices(layer, x, mask):
    scores = x @ x.transpose(1, 2) / x.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return weights @ x, weights


def _case(generator, words, mask, batch=1, heads=1, dtype=torch.float32, size_of_x=1):
    x = size_of_x * randn(generator, batch, len(mask), D_MODEL, dtype=dtype)
    size = f"{batch} sentence{'s' * (batch > 1)} of {len(mask)} tokens"
    label = f"{words}, {size} and {heads} head{'s' * (heads > 1)}"
    layer = nn.MultiheadAttention(D_MODEL, heads, batch_first=True, device="cpu", dtype=dtype)
    for parameter in layer.parameters():  # torch's own start takes others' random numbers
        parameter.data = randn(generator, *parameter.shape, dtype=dtype) / 2
    return Case((layer, x, mask), label=label)


def _causal(generator):
    return [_case(generator, "a causal mask", causal(length, length)) for length in (3, 5)]


def _others(generator):
    mask = some(generator, 4, 4)
    window = causal(5, 5) & ~causal(5, 5).tril(-2)
    return [
        _case(generator, "a random mask", mask),
        _case(generator, "a causal mask of window 2", window),
    ]


def _batches(generator):
    mask, double = some(generator, 4, 4), torch.float64
    return [
        *_others(generator),
        _case(generator, "a causal mask", causal(4, 4), 3, 2),
        _case(generator, "a causal mask", causal(4, 4), 4, 2),
        _case(generator, "a random mask", mask, 2, 4),
        _case(generator, "a causal mask (float64)", causal(3, 3), 2, 2, double),
        _case(generator, "a causal mask, x near 1e6 (float64)", causal(4, 4), 2, 2, double, 1e6),
    ]


CUT_OFF = (
    "The numbers are right, but no gradient reaches x, so nothing can be learned: detach and "
    "no_grad cut it off."
)
MODE = (
    "Your function leaves the layer in another mode than it was in: layer.eval() and layer.train() "
    "change the caller's own layer."
)


def _gradient_and_mode(function):
    """(one of the sentences above, no line), or None."""
    case = _causal(torch.Generator(device="cpu").manual_seed(0))[0]
    layer, has_gradient = case.args[0], []

    def watched(layer_copy, x, mask):
        output, weights = function(layer, x.requires_grad_(), mask)
        loss = output.sum()
        has_gradient.append(
            loss.requires_grad and torch.autograd.grad(loss, x, allow_unused=True)[0] is not None
        )
        return output, weights

    for training in (True, False):
        layer.train(training)
        call(EXERCISE, watched, case.args, 0)
        if layer.training != training:
            return MODE, ""
    return None if all(has_gradient) else (CUT_OFF, "")


EXERCISE = Exercise(
    reference=masked_call,
    returns={"output": "(batch, seq_len, d_model)", "weights": "(batch, seq_len, seq_len)"},
    library=(attention_from_torch,),
    properties=(
        Property("under a causal mask no token attends to a later one", 2, _causal),
        Property("it obeys any other mask, with batches, several heads and float64", 1, _batches),
        Property(
            "gradients reach x, and the layer stays in its mode",
            1,
            judge=_gradient_and_mode,
            measured_inside=True,
        ),
    ),
    mistakes=MISTAKES,
)
