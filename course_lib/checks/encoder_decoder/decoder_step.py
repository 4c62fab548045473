"""Lesson 09, exercise 3: one greedy step, from what has been written to the next token."""

import torch

from course_lib.checks.encoder_decoder.step_cases import one_size, padded, simple
from course_lib.checks.exercise import Exercise, Property


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)  # (batch, length, vocab_size)
    return logits[:, -1].argmax(dim=-1, keepdim=True)


MISTAKES = """
first_position: _of_logits(lambda logits: logits[:, 0].argmax(dim=-1, keepdim=True))
    You read the logits of the first position. They say what comes behind the start token. What
    comes behind the whole prefix stands at the last position: logits[:, -1].
position_before: _of_logits(lambda logits: logits[:, -2].argmax(dim=-1, keepdim=True))
    You read the logits of the last position but one. They say which token comes where the prefix
    has its last one already.
all_positions: _of_logits(lambda logits: logits.argmax(dim=-1))
    You hand back a token for each position, (batch, length). All but the last say what stands in
    the prefix already: take logits[:, -1].
over_positions: _of_logits(lambda logits: logits.argmax(dim=1))
    You look for the best position of each token. Choose among the tokens, dim=-1, at the last
    position.
averaged: _of_logits(lambda logits: logits.mean(dim=1).argmax(dim=-1, keepdim=True))
    You average the logits over the positions. Each position answers another question; only the last
    one asks for the token behind the prefix.
flattened: _of_logits(lambda logits: logits.flatten(1).argmax(dim=-1, keepdim=True))
    You look for the largest logit of all positions together, so your index counts through positions
    and tokens. Take the last position first.
over_batch: _of_logits(lambda logits: logits[:, -1].argmax(dim=0))
    You choose among the sentences of the batch. Choose among the tokens: dim=-1.
over_batch_kept: _of_logits(lambda logits: logits[:, -1].argmax(dim=0, keepdim=True))
    You choose among the sentences of the batch, and keep a 1 for it. Choose among the tokens:
    dim=-1.
one_for_all: _of_logits(lambda logits: _best(logits)[:1].expand(len(logits), 1))
    All sentences get the token of the first one. Each has its own.
one_index: _of_logits(lambda logits: logits[:, -1].argmax())
    argmax without dim looks through the whole table and gives one index for all sentences. Say
    dim=-1.
no_dimension: _of_logits(lambda logits: logits[:, -1].argmax(dim=-1))
    Your tokens are (batch,). To be put behind the prefix, (batch, length), they need a dimension
    for the position: (batch, 1), by keepdim=True or [:, None].
prefix_too: lambda decode, prefix, *args: \
        torch.cat((prefix, decoder_step(decode, prefix, *args)), dim=1)
    You hand back the prefix with the token behind it. The new token alone is asked for, (batch, 1).
largest_logit: _of_logits(lambda logits: logits[:, -1].amax(dim=-1, keepdim=True))
    You hand back the largest logit itself. Asked for is its index, which is the token: argmax.
logits_returned: _of_logits(lambda logits: logits[:, -1])
    You hand back the logits, a number for each token of the vocabulary. Asked for is the token that
    has the largest.
probabilities_returned: _of_logits(lambda logits: logits[:, -1].softmax(dim=-1))
    You hand back probabilities, one for each token of the vocabulary. Asked for is the token that
    has the largest.
least_likely: _of_logits(lambda logits: logits[:, -1].argmin(dim=-1, keepdim=True))
    You take the smallest logit. The most likely token has the largest.
no_mask: _of_mask(lambda mask: None)
    The decoder never gets source_mask, so the padding of the source is read as well.
mask_inverted: _of_mask(torch.logical_not)
    You turn source_mask round. True means may attend here, and that is what decode expects.
last_token_only: _of_prefix(lambda prefix: prefix[:, -1:])
    The decoder reads the last token alone. Without a cache it needs the whole prefix: it remembers
    nothing, and takes that token for the first.
start_dropped: _of_prefix(lambda prefix: prefix[:, 1:])
    You cut the start token off the prefix. In training the decoder always read it first, and
    without it every token stands one position too early.
last_dropped: _of_prefix(lambda prefix: prefix[:, :-1])
    You cut the last token off the prefix. In training the last one goes because nothing has to be
    written behind it; here you want to know just that.
shifted_again: _of_prefix(_shifted_again)
    You shift the prefix to the right once more. It begins with the start token already, and its
    last token has to be read.
never_0: _of_logits(lambda logits: logits[:, -1:, 1:].argmax(dim=-1) + 1)
    You never choose token 0. It is a token like any other here.
first_mask: _of_mask(lambda mask: mask[:1].expand_as(mask))
    All sentences get the mask of the first one. Each source has its own padding.
"""


def _of_logits(choose):
    """Right up to the logits."""
    return lambda decode, *args: choose(decode(*args)[0])


def _of_prefix(change):
    """Right but for what the decoder reads."""
    return lambda decode, prefix, *args: decoder_step(decode, change(prefix), *args)


def _of_mask(change):
    return lambda decode, prefix, memory, mask: decoder_step(decode, prefix, memory, change(mask))


def _shifted_again(prefix):
    return torch.cat((prefix[:, :1], prefix[:, :-1]), dim=1)


def _best(logits):
    return logits[:, -1].argmax(dim=-1, keepdim=True)


EXERCISE = Exercise(
    lesson="09",
    number=3,
    reference=decoder_step,
    returns={"token": "(batch, 1)"},
    dtype=torch.int64,
    properties=(
        Property("it hands back the most likely token behind each prefix", 2, simple),
        Property("the same for one sentence, and where sizes agree", 1, one_size),
        Property("the padding of the source has no say", 2, padded),
    ),
    mistakes=MISTAKES,
)
