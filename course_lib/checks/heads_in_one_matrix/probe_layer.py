"""Lesson 04, exercise 3: probes that tell right-shaped wrong views of the heads apart."""

import torch
from torch import allclose, randn_like

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
        changed[b, t] = randn_like(x[b, t])
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


def _shifted(layer, x):
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
        changed[0, t] = randn_like(x[0, t])
        others[0, t] = False
        if not _same(layer(changed)[others], y[others]):
            return True
    return False


def _across_sentences(layer, x):
    y = layer(x)
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] = randn_like(x[:, t])
        if not _same(layer(changed)[:, others], y[:, others]):
            return True
    return False


def _own_output(layer, x):
    changed = x.clone()
    changed[:, 0] = randn_like(x[:, 0])
    return not _same(layer(changed), layer(x))


def _token_alone(layer, x):
    return not _same(torch.cat([layer(token) for token in x.split(1, dim=1)], dim=1), layer(x))


def _exactly(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.equal(layer(x[:, order]), layer(x)[:, order])


def _sentences_in_order(order_of):
    return lambda layer, x: _same(layer(x[order_of(len(x))]), layer(x)[order_of(len(x))])


def _sentences_drawn(layer, x):
    order = torch.randperm(len(x))
    return _same(layer(x[order]), layer(x)[order])


_BACKWARDS = _sentences_in_order(lambda batch: torch.arange(batch).flip(0))


def _connected_with(change, sentences=lambda batch: range(batch), verdict=any):
    """Each token of these sentences becomes ``change(token)``; the verdict on what moved."""

    def connected(layer, x):
        y, moved = layer(x), []
        for b in sentences(len(x)):
            for t in range(x.shape[1]):
                changed, others = x.clone(), torch.arange(x.shape[1]) != t
                changed[b, t] = change(x[b, t])
                moved.append(not _same(layer(changed)[b, others], y[b, others]))
        return verdict(moved)

    return connected


def _one_feature(token):
    token = token.clone()
    token[0] += 1
    return token


def _last_alone(layer, x):
    return _same(layer(x[-1:])[0], layer(x)[-1])


def _all_with(same):
    """All three probes with another way to compare."""

    def probes(layer, x):
        y, order, connected = layer(x), torch.randperm(x.shape[1]), False
        for b in range(len(x)):
            for t in range(x.shape[1]):
                changed, others = x.clone(), torch.arange(x.shape[1]) != t
                changed[b, t] = randn_like(x[b, t])
                connected = connected or not same(layer(changed)[b, others], y[b, others])
        alone = all(same(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
        return bool(same(layer(x[:, order]), y[:, order])), bool(alone), bool(connected)

    return probes


def _within(atol):
    return lambda a, b: allclose(a, b, atol=atol)


def _same_sum(a, b):
    return abs(a.sum() - b.sum()) < 1e-4


def _other_order(layer, x):
    equivariant, independent, connected = probe_layer(layer, x)
    return independent, equivariant, connected


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
                "1%",
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
                "1%",
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
                "1%",
                "LayerNorm",
                "RMSNorm",
                "last feature",
                "large",
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
            also=(_with(equivariant=_BACKWARDS), _with(equivariant=_sentences_drawn)),
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
            also=(_with(equivariant=_shifted),),
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
            also=(_with(equivariant=_exactly, independent=_exactly_alone),),
        ),
        Mutant(
            "batch_shuffled",
            "For independent you shuffle the sentences and ask whether the outputs follow. Adding "
            "the mean of the batch follows too, and it is not independent. Run a sentence alone, "
            "and compare with the same sentence in the batch.",
            _with(independent=_sentences_shuffled),
            also=(_with(independent=_BACKWARDS),),
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
            "one token of one sentence, x[b, t], and look at the other tokens of sentence b only.",
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
        Mutant(
            "constant_added",
            "For connected you add the same number to all features of a token. A LayerNorm takes "
            "that out again, so behind one no token seems to see another: put random numbers in "
            "the token's place.",
            _with(connected=_connected_with(lambda token: token + 1)),
        ),
        Mutant(
            "scaled",
            "For connected you multiply a token by a number. A LayerNorm takes the factor out "
            "again, so behind one no token seems to see another: put random numbers in the "
            "token's place.",
            _with(connected=_connected_with(lambda token: 2 * token)),
        ),
        Mutant(
            "one_feature",
            "For connected you change one feature of a token. A layer may look at another one: "
            "put random numbers in the place of them all.",
            _with(connected=_connected_with(_one_feature)),
        ),
        Mutant(
            "one_sentence",
            "For connected you try the tokens of one sentence only. What a layer does may depend "
            "on the words: try every sentence.",
            _with(connected=_connected_with(randn_like, sentences=lambda batch: range(1))),
        ),
        Mutant(
            "every_token",
            "For connected you ask that every token changes another one. One that does is enough: "
            "with a causal mask nobody sees the last token.",
            _with(connected=_connected_with(randn_like, verdict=all)),
        ),
        Mutant(
            "turned_round",
            "For connected you answer True where no token reaches another. The answer is turned "
            "round.",
            _with(connected=lambda layer, x: not _connected(layer, x)),
        ),
        Mutant(
            "last_try",
            "Each of your tries overwrites the answer of the one before, so the last sentence and "
            "the last token decide alone. Keep what was found: all(...) for independent, any(...) "
            "for connected.",
            _with(
                independent=_last_alone,
                connected=_connected_with(randn_like, verdict=lambda moved: moved[-1]),
            ),
        ),
        Mutant(
            "too_loose",
            "You allow too large a difference, so an influence of 1% passes for none. Rounding in "
            "float32 needs about 1e-5.",
            _all_with(_within(0.5)),
            also=(_all_with(_within(0.1)), _all_with(_within(0.01))),
        ),
        Mutant(
            "sums",
            "You compare sums of the outputs. Outputs that change places have the same sum, and so "
            "have many others: compare every number.",
            _all_with(_same_sum),
        ),
        Mutant(
            "other_order",
            "Your answers come in another order: (equivariant, independent, connected).",
            _other_order,
        ),
    ),
)
