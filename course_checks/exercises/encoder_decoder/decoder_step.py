"""Lesson 09, exercise 3: one greedy step, from what has been written to the next token."""

import torch

from course_checks.exercise import Exercise, Property
from course_checks.exercises.encoder_decoder.step_cases import one_size, padded, simple


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)  # (batch, length, vocab_size)
    return logits[:, -1].argmax(dim=-1, keepdim=True)


MISTAKES = """
first_position: [:, -1] -> [:, 0] || [:, -2]
    You read the logits of an earlier position. What comes behind the whole prefix stands at the
    last one: logits[:, -1].
all_positions: [:, -1].argmax(dim=-1, keepdim=True) -> .argmax(dim=-1)
    You hand back a token for each position. Only the last says what comes next: logits[:, -1].
over_positions: [:, -1].argmax(dim=-1, keepdim=True) -> .argmax(dim=1)
    You look for the best position of each token. Choose among the tokens, dim=-1.
averaged: [:, -1] -> .mean(dim=1) || .flatten(1)
    You mix the logits of all positions. Each answers another question: take the last position
    first.
over_batch: dim=-1, keepdim=True -> dim=0 || dim=-1 -> dim=0
    You choose among the sentences of the batch. Choose among the tokens: dim=-1.
one_for_all: [:, -1] -> [:1, -1].expand(len(prefix), -1)
    All sentences get the token of the first one. Each has its own.
one_index: dim=-1, keepdim=True ->
    argmax without dim gives one index for all sentences together. Say dim=-1.
no_dimension: , keepdim=True ->
    Your tokens are (batch,). To be put behind the prefix they have to be (batch, 1): keepdim=True.
prefix_too: return -> return torch.cat((prefix, && keepdim=True) -> keepdim=True)), dim=1)
    You hand back the prefix with the token behind it. The new token alone is asked for, (batch, 1).
largest_logit: argmax -> amax
or: .argmax(dim=-1, keepdim=True) ->
or: .argmax(dim=-1, keepdim=True) -> .softmax(dim=-1)
    You hand back logits or probabilities. Asked for is the token with the largest: argmax.
no_mask: memory, source_mask) # -> memory, None) #
    The decoder never gets source_mask, so the padding of the source is read as well.
mask_inverted: memory, source_mask) # -> memory, ~source_mask) #
    You turn source_mask round. True means may attend here, and that is what decode expects.
last_token_only: decode(prefix -> decode(prefix[:, -1:]
    The decoder reads the last token alone. Without a cache it needs the whole prefix.
start_dropped: decode(prefix -> decode(prefix[:, 1:]
    You cut the start token off the prefix. The decoder always read it first in training.
last_dropped: decode(prefix -> decode(prefix[:, :-1]
    You cut the last token off the prefix. Here you want to know just what comes behind it.
shifted_again: decode(prefix -> decode(torch.cat((prefix[:, :1], prefix[:, :-1]), dim=1)
    You shift the prefix once more. It has the start token already, and its last must be read.
never_0: [:, -1].argmax(dim=-1, keepdim=True) -> [:, -1, 1:].argmax(dim=-1, keepdim=True) + 1
    You never choose token 0. It is a token like any other here.
padding_of_prefix: [:, -1] -> [torch.arange(len(prefix)), \
        (prefix != 0).cumsum(dim=1).argmax(dim=1)]
    You take 0 for padding and read the logits at the last token that is not 0. Here 0 is a token
    like any other: the newest one stands at -1.
first_mask: memory, source_mask) # -> memory, source_mask[:1].expand_as(source_mask)) #
    All sentences get the mask of the first one. Each source has its own padding.
"""

EXERCISE = Exercise(
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
