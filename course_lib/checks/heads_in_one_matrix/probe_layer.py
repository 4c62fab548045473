"""Lesson 04, exercise 3: probes that tell right-shaped wrong views of the heads apart."""

import torch
from torch import allclose

from course_lib.checks.exercise import Exercise, Mutant, Property
from course_lib.checks.heads_in_one_matrix.probe_cases import cases


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
    """Whether token t of some sentence can change the output of another token of it."""
    y, others = layer(x), torch.arange(x.shape[1]) != t
    for b in range(len(x)):
        changed = x.clone()
        changed[b, t] += 1
        if not _same(layer(changed)[b, others], y[b, others]):
            return True
    return False


def _same(a, b):
    return allclose(a, b, atol=1e-5)


# --- wrong probes -------------------------------------------------------------------------------


def _with(equivariant=_equivariant, independent=_independent, connected=_connected):
    return lambda layer, x: tuple(bool(f(layer, x)) for f in (equivariant, independent, connected))


def _sentences_shuffled(layer, x):
    order = torch.arange(len(x)).roll(1)
    return _same(layer(x[order]), layer(x)[order])


def _reversed(layer, x):
    return _same(layer(x.flip(1)), layer(x).flip(1))


def _rolled(layer, x):
    return _same(layer(x.roll(1, 1)), layer(x).roll(1, 1))


def _few_tokens(layer, x):
    order = torch.randperm(len(x))
    return _same(layer(x[:, order]), layer(x)[:, order])


def _invariant(layer, x):
    return _same(layer(x[:, torch.randperm(x.shape[1])]), layer(x))


def _first_sentence(layer, x):
    return _same(layer(x[:1]), layer(x)[:1])


def _last_sentence(layer, x):
    return _same(layer(x[-1:]), layer(x)[-1:])


def _exactly_alone(layer, x):
    return all(torch.equal(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def _whole_batch(layer, x):
    y = layer(x)
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.ones(x.shape[:2], dtype=torch.bool)
        changed[0, t] += 1
        others[0, t] = False
        if not _same(layer(changed)[others], y[others]):
            return True
    return False


def _across_sentences(layer, x):
    y = layer(x)
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] += 1
        if not _same(layer(changed)[:, others], y[:, others]):
            return True
    return False


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
            cases(
                "right split",
                "without",
                "after view",
                "causal",
                "token alone",
                "position",
                "circle",
            ),
            only="equivariant",
        ),
        Property(
            "independent is True where a sentence does not depend on the rest of the batch",
            1,
            cases(
                "right split",
                "token alone",
                "takes the batch",
                "of the batch",
                "before each",
                "after each",
            ),
            only="independent",
        ),
        Property(
            "connected is True where a token can change the output of another one of its sentence",
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
                "at its place",
                "of another sentence",
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
            "For equivariant your order has not as many entries as there are tokens, so it leaves "
            "some out. The tokens are x.shape[1]; len(x) counts the sentences.",
            _with(equivariant=_few_tokens),
        ),
        Mutant(
            "special_order",
            "For equivariant you try one special order. An order such as reversing or shifting is "
            "kept by layers that know their neighbours: take a shuffled one, torch.randperm.",
            _with(equivariant=_reversed),
            also=(_with(equivariant=_rolled),),
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
            "last_sentence_only",
            "For independent you look at the last sentence only. Where each sentence depends on "
            "those after it, the last depends on none: look at all of them.",
            _with(independent=_last_sentence),
        ),
        Mutant(
            "exact_alone",
            "For independent you ask for exactly equal numbers. A sentence alone may be summed in "
            "another order: allow a small difference, such as atol=1e-5.",
            _with(independent=_exactly_alone),
        ),
        Mutant(
            "own_output",
            "For connected you find a change in every layer. Either you look at all outputs, and "
            "that of the changed token changes always: leave it out. Or the changes pile up, since "
            "z = x is no copy: x.clone() is.",
            _with(connected=_own_output),
        ),
        Mutant(
            "whole_batch",
            "For connected you change one token and look at the tokens of all sentences. Change "
            "one of sentence b, and look at the other tokens of sentence b only.",
            _with(connected=_whole_batch),
        ),
        Mutant(
            "across_sentences",
            "For connected a change in one sentence counts when it shows in another one. Change "
            "one token of one sentence, x[b, t], not of all, and look at the other tokens of "
            "sentence b only.",
            _with(connected=_across_sentences),
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
