"""Lesson 04, exercise 3: probes that tell right-shaped wrong views of the heads apart."""

import torch
from torch import allclose

from course_lib.checks.exercise import Exercise, Mutant, Property
from course_lib.checks.probe_cases import cases


def probe_layer(layer, x):
    return _equivariant(layer, x), _independent(layer, x), _connected(layer, x)


def _equivariant(layer, x):
    order = torch.randperm(x.shape[1])
    return _same(layer(x[:, order]), layer(x)[:, order])


def _independent(layer, x):
    return all(_same(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def _connected(layer, x):
    return any(_moves_another(layer, x, t) for t in range(x.shape[1]))


def _moves_another(layer, x, t):
    changed, others = x.clone(), torch.arange(x.shape[1]) != t
    changed[:, t] += 1
    return not _same(layer(changed)[:, others], layer(x)[:, others])


def _same(a, b):
    return allclose(a, b, atol=1e-5)


# --- wrong probes -------------------------------------------------------------------------------


def _with(equivariant=_equivariant, independent=_independent, connected=_connected):
    return lambda layer, x: tuple(bool(f(layer, x)) for f in (equivariant, independent, connected))


def _sentences_shuffled(layer, x):
    order = torch.arange(len(x)).roll(1)
    return _same(layer(x[order]), layer(x)[order])


def _few_tokens(layer, x):
    order = torch.randperm(len(x))
    return _same(layer(x[:, order]), layer(x)[:, order])


def _invariant(layer, x):
    return _same(layer(x[:, torch.randperm(x.shape[1])]), layer(x))


def _first_sentence(layer, x):
    return _same(layer(x[:1]), layer(x)[:1])


def _own_output(layer, x):
    changed = x.clone()
    changed[:, 0] += 1
    return not _same(layer(changed), layer(x))


def _token_alone(layer, x):
    return not _same(torch.cat([layer(token) for token in x.split(1, dim=1)], dim=1), layer(x))


def _exactly(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.equal(layer(x[:, order]), layer(x)[:, order])


EXERCISE = Exercise(
    lesson="04",
    number=3,
    reference=probe_layer,
    returns={part: "True or False" for part in ("equivariant", "independent", "connected")},
    kind="bool",
    properties=(
        Property(
            "equivariant is True where outputs follow every order of the tokens, and only there",
            2,
            cases("right split", "without", "after view", "causal", "token alone", "position"),
            only="equivariant",
        ),
        Property(
            "independent is True where a sentence does not depend on the rest of the batch",
            1,
            cases("right split", "token alone", "takes the batch", "of the batch", "before each"),
            only="independent",
        ),
        Property(
            "connected is True where a token can change the output of another one",
            1,
            cases(
                "right split",
                "without",
                "causal",
                "later",
                "token alone",
                "position",
                "sentence to",
                "neighbour",
            ),
            only="connected",
        ),
    ),
    mutants=(
        Mutant(
            "sentences_shuffled",
            "For equivariant you shuffle the sentences. x is (batch, seq_len, d_model): the tokens "
            "are dimension 1, as in x[:, order].",
            _with(equivariant=_sentences_shuffled),
        ),
        Mutant(
            "few_tokens",
            "For equivariant your order is as long as the batch, so it leaves most tokens out. "
            "len(x) counts the sentences; the tokens are x.shape[1].",
            _with(equivariant=_few_tokens),
        ),
        Mutant(
            "invariant",
            "For equivariant you ask whether the output stays the same when the tokens change "
            "places. It should change places along with them: shuffle the output of x as well.",
            _with(equivariant=_invariant),
        ),
        Mutant(
            "exact",
            "For equivariant you ask for exactly equal numbers. Sums in another order are off by "
            "about 1e-7: allow a small difference, such as atol=1e-5.",
            _with(equivariant=_exactly),
        ),
        Mutant(
            "batch_shuffled",
            "For independent you shuffle the sentences and ask whether the outputs follow. Adding "
            "the mean of the batch follows too, and it is not independent. Run a sentence alone, "
            "and compare with the same sentence in the batch.",
            _with(independent=_sentences_shuffled),
        ),
        Mutant(
            "first_sentence_only",
            "For independent you look at the first sentence only. Where each sentence depends on "
            "those before it, the first depends on none: look at all of them.",
            _with(independent=_first_sentence),
        ),
        Mutant(
            "own_output",
            "For connected you change a token and look at all outputs, its own included. Its own "
            "changes in every layer: leave it out.",
            _with(connected=_own_output),
        ),
        Mutant(
            "token_alone",
            "For connected you compare a token alone with the token in its sentence. A layer that "
            "adds positions gives another answer too, and there no token sees another. Keep the "
            "length, and change one token.",
            _with(connected=_token_alone),
        ),
        Mutant(
            "first_token_only",
            "For connected you change the first token only. In some layers the others do not look "
            "at it, and still look at each other: try every token.",
            _with(connected=lambda layer, x: _moves_another(layer, x, 0)),
        ),
        Mutant(
            "last_token_only",
            "For connected you change the last token only. With a causal mask nobody sees it, and "
            "the others do see each other: try every token.",
            _with(connected=lambda layer, x: _moves_another(layer, x, x.shape[1] - 1)),
        ),
    ),
)
