"""Lesson 13, exercise 5: attention to latents, with the matrices absorbed."""

import math

import torch
from torch.overrides import TorchFunctionMode

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Mistake, Property, randn
from course_checks.tensor_watch import watched


def absorbed_attend(query, latent, key_up, value_up):
    absorbed = query @ key_up
    scores = absorbed @ latent.T / math.sqrt(query.shape[-1])
    mixed = scores.softmax(dim=-1) @ latent
    return absorbed, mixed, mixed @ value_up.transpose(-2, -1)


MISTAKES = """
scaled_by_latent: query.shape[-1] -> latent.shape[-1]
    You divide by the square root of latent_dim. The scores are those of the plain form: head_dim.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_twice: math.sqrt(query.shape[-1]) -> query.shape[-1]
    You divide by head_dim, and not by its square root.
value_matrix_for_query: query @ key_up -> query @ value_up
    You multiply the query by value_up. It meets keys: key_up is absorbed into it.
key_matrix_at_the_end: value_up.transpose -> key_up.transpose
    You multiply by key_up at the end. What comes out is made of values: that is value_up.
both_exchanged: query @ key_up -> query @ value_up && value_up.transpose -> key_up.transpose
    You have exchanged the two matrices: key_up goes into the query, value_up stands at the end.
one_head_for_all: query @ key_up -> query @ key_up[0] && value_up.transpose(-2, -1) -> value_up[0].T
or: query @ key_up -> query @ key_up[0]
    You use a matrix of head 0 for all heads. The latents are shared; each head has its own.
softmax_over_queries: softmax(dim=-1) -> softmax(dim=-2)
    Your softmax runs over the queries. Each query's weights add up to 1: the last dimension.
heads_averaged: query @ key_up -> \
        (query @ key_up).mean(dim=0, keepdim=True).expand(len(query), -1, -1)
    You average the absorbed queries over the heads. Each head asks the latents for itself.
scaled_query_returned: absorbed = query @ key_up -> \
        absorbed = query @ key_up / math.sqrt(query.shape[-1]) && \
        latent.T / math.sqrt(query.shape[-1]) -> latent.T
    The absorbed query that you return is divided by the square root of head_dim. The task asks for
    the product alone; scale the scores.
ends_before_the_matrix: mixed @ value_up.transpose(-2, -1) -> \
        F.pad(mixed, (0, max(0, value_up.shape[1] - mixed.shape[-1])))[..., : value_up.shape[1]]
    Your output is what you mixed, cut or filled. It has to go through value_up.
"""


def _plain_form(query, latent, key_up, value_up):
    key, value = latent @ key_up.mT, latent @ value_up.mT  # (heads, key_len, head_dim)
    weights = (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return query @ key_up, weights @ latent, weights @ value


def _token_by_token(query, latent, key_up, value_up):
    absorbed, mixed, _ = absorbed_attend(query, latent, key_up, value_up)
    key, value = (
        torch.stack([matrix @ token for token in latent], dim=1) for matrix in (key_up, value_up)
    )
    weights = (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return absorbed, mixed, weights @ value


def _plain_values(query, latent, key_up, value_up):
    absorbed, mixed, _ = absorbed_attend(query, latent, key_up, value_up)
    weights = (absorbed @ latent.T / math.sqrt(query.shape[-1])).softmax(dim=-1)
    return absorbed, mixed, weights @ (latent @ value_up.mT)


HEADS, KEY_LEN, HEAD_DIM = 2, 29, 5  # no other size of that call is 29, 5 or 10

PLAIN = (
    "Your numbers are right, and you make keys or values of all tokens, head_dim numbers for each "
    "head. That is what the absorbed form saves. Multiply the query by key_up, mix the latents, "
    "and multiply what comes out by value_up."
)


class _Watch(TorchFunctionMode):
    """Whether any call returned a row of a head's numbers for each token, and how many calls
    returned such rows."""

    def __init__(self):
        super().__init__()
        self.made, self.rows = False, 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            widths = {HEAD_DIM, HEADS * HEAD_DIM} & set(result.shape)
            self.made = self.made or bool(widths) and KEY_LEN in result.shape
            self.rows += bool(widths)
        return result


def _makes_no_keys(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    cases = _cases(*((HEADS, 3, length, HEAD_DIM, 7) for length in (KEY_LEN, 2)))(generator)
    many, few = (watched(_Watch(), EXERCISE, function, case.args) for case in cases)
    return (PLAIN, "") if many.made or many.rows > few.rows else None


def _cases(*sizes):
    """(heads, query_len, key_len, head_dim, latent_dim) each."""

    def make(generator):
        for heads, query_len, key_len, head_dim, latent_dim in sizes:
            query = randn(generator, heads, query_len, head_dim)
            latent = randn(generator, key_len, latent_dim)
            matrices = [randn(generator, heads, head_dim, latent_dim) for _ in "kv"]
            yield Case((query, latent, *matrices))

    return make


EXERCISE = Exercise(
    reference=absorbed_attend,
    returns={
        "absorbed": "(heads, query_len, latent_dim)",
        "mixed": "(heads, query_len, latent_dim)",
        "output": "(heads, query_len, head_dim)",
    },
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property("one head and one query", 1, _cases((1, 1, 3, 2, 4), (1, 1, 5, 3, 6))),
        Property("several heads, and several queries", 2, _cases((2, 3, 4, 3, 5), (3, 2, 6, 4, 2))),
        Property("latents as wide as a head", 1, _cases((2, 2, 4, 3, 3), (3, 1, 5, 4, 4))),
        Property(
            "neither keys nor values of all tokens are made",
            2,
            judge=_makes_no_keys,
            measured_inside=True,
        ),
    ),
    stretched="query",
    mistakes=(
        MISTAKES,
        Mistake("plain_form", PLAIN, _plain_form, also=(_plain_values, _token_by_token)),
    ),
)
