"""Lesson 04, exercise 3: probes that tell right-shaped wrong views of the heads apart."""

from course_checks.exercise import Exercise, Property
from course_checks.exercises.heads_in_one_matrix import probes
from course_checks.exercises.heads_in_one_matrix.probe_cases import cases


def probe_layer(layer, x):
    return probes.equivariant(layer, x), probes.independent(layer, x), probes.connected(layer, x)


MISTAKES = """
sentences_shuffled: probes.equivariant -> probes.SHIFTED || probes.BACKWARDS || probes.DRAWN
    For equivariant you shuffle the sentences. x is (batch, seq_len, d_model): the tokens are
    dimension 1, as in x[:, order].
special_order: probes.equivariant(layer, x) -> probes.same(layer(x.flip(1)), layer(x).flip(1)) || \
        probes.same(layer(x.roll(1, 1)), layer(x).roll(1, 1))
    For equivariant you try one special order. An order such as reversing or shifting is kept by
    layers that know their neighbours: take a shuffled one, torch.randperm.
invariant: probes.equivariant(layer, x) -> \
        probes.same(layer(x[:, torch.randperm(x.shape[1])]), layer(x))
or: probes.equivariant(layer, x) -> (lambda p: probes.same(layer(x[:, p])[:, p], layer(x)))( \
        torch.randperm(x.shape[1]))
    For equivariant you compare outputs in orders that do not belong together, and even a layer that
    looks at each token alone fails. With the tokens as x[:, order], the outputs should be
    layer(x)[:, order]. (order once more does not undo it: order.argsort() does.)
exact: probes.equivariant -> probes.exactly
or: probes.equivariant -> probes.exactly && probes.independent -> probes.exactly_alone
    For equivariant you ask for exactly equal numbers. Sums in another order are off by about 1e-7:
    allow a small difference, such as atol=1e-5.
batch_shuffled: probes.independent -> probes.SHIFTED || probes.BACKWARDS
    For independent you shuffle the sentences and ask whether the outputs follow. Adding the mean of
    the batch follows too, and it is not independent. Run a sentence alone, and compare with the
    same sentence in the batch.
first_sentence_only: probes.independent(layer, x) -> probes.same(layer(x[:1]), layer(x)[:1])
    For independent you look at the first sentence only. Where each sentence depends on those before
    it, the first depends on none: look at all of them.
last_sentence_only: probes.independent(layer, x) -> probes.same(layer(x[-1:]), layer(x)[-1:])
    For independent you look at the last sentence only. Where each sentence depends on those after
    it, the last depends on none: look at all of them.
exact_alone: probes.independent -> probes.exactly_alone
    For independent you ask for exactly equal numbers. A sentence alone may be summed in another
    order: allow a small difference, such as atol=1e-5.
own_output: probes.connected -> probes.own_output
    For connected you find a change in every layer. Either you look at all outputs, and that of the
    changed token changes always: leave it out. Or the changes pile up, since z = x is no copy:
    x.clone() is.
whole_batch: probes.connected -> probes.whole_batch
or: probes.connected -> (lambda layer, x: probes.whole_batch(layer, x, len(x)))
    For connected you change one token and look at the tokens of all sentences. Change one of
    sentence b, and look at the other tokens of sentence b only.
across_sentences: probes.connected -> probes.across_sentences
    For connected a change in one sentence counts when it shows in another one. Change one token of
    one sentence, x[b, t], and look at the other tokens of sentence b only.
first_token_only: probes.connected(layer, x) -> probes.moves_another(layer, x, 0)
or: probes.connected(layer, x) -> probes.across_sentences(layer, x, [0])
    For connected you change the first token only. In some layers the others do not look at it, and
    still look at each other: try every token.
last_token_only: probes.connected(layer, x) -> probes.moves_another(layer, x, x.shape[1] - 1)
    For connected you change the last token only. With a causal mask nobody sees it, and the others
    do see each other: try every token.
constant_added: probes.connected -> probes.connected_with(lambda token: token + 1)
    For connected you add the same number to all features of a token. A LayerNorm takes that out
    again, so behind one no token seems to see another: put random numbers in the token's place.
scaled: probes.connected -> probes.connected_with(lambda token: 2 * token)
    For connected you multiply a token by a number. A LayerNorm takes the factor out again, so
    behind one no token seems to see another: put random numbers in the token's place.
one_feature: probes.connected -> probes.connected_with(probes.one_feature)
    For connected you change one feature of a token. A layer may look at another one: put random
    numbers in the place of them all.
one_sentence: probes.connected -> \
        probes.connected_with(torch.randn_like, sentences=lambda batch: range(1))
    For connected you try the tokens of one sentence only. What a layer does may depend on the
    words: try every sentence.
every_token: probes.connected -> probes.connected_with(torch.randn_like, verdict=all)
    For connected you ask that every token changes another one. One that does is enough: with a
    causal mask nobody sees the last token.
turned_round: probes.connected -> not probes.connected
    For connected you answer True where no token reaches another. The answer is turned round.
last_try: probes.independent(layer, x) -> probes.same(layer(x[-1:]), layer(x)[-1:]) && \
        probes.connected -> \
        probes.connected_with(torch.randn_like, verdict=lambda moved: moved[-1])
    Each of your tries overwrites the answer of the one before, so the last sentence and the last
    token decide alone. Keep what was found: all(...) for independent, any(...) for connected.
too_loose: probes.within(0.5) || probes.within(0.1) || probes.within(0.01)
    You allow too large a difference, so an influence of 1% passes for none. Rounding in float32
    needs about 1e-5.
sums: probes.all_with(lambda a, b: abs(a.sum() - b.sum()) < 1e-4)
    You compare sums of the outputs. Outputs that change places have the same sum, and so have many
    others: compare every number.
other_order: probes.equivariant(layer, x) -> probes.independent(layer, x) && \
        probes.independent(layer, x) -> probes.equivariant(layer, x)
    Your answers come in another order: (equivariant, independent, connected).
"""

EXERCISE = Exercise(
    reference=probe_layer,
    returns={part: "True or False" for part in ("equivariant", "independent", "connected")},
    kind="bool",
    properties=(
        Property(
            "equivariant is True where outputs follow every order of the tokens, and only there",
            2,
            cases("right split, without, after view, causal, token alone, position, circle"),
            only="equivariant",
        ),
        Property(
            "independent is True where a sentence does not depend on the rest of the batch",
            1,
            cases(
                "right split, token alone, takes the batch, of the batch, before each, after each, "
                "number of sentences"
            ),
            only="independent",
        ),
        Property(
            "connected is True where a token can change the output of another one of its sentence",
            1,
            cases(
                "right split, without, causal, later, token alone, position, sentence to, "
                "1% of the mean of the sentence, LayerNorm, RMSNorm, last feature, large, "
                "neighbour, at its place, of another sentence"
            ),
            only="connected",
        ),
    ),
    mistakes=MISTAKES,
)
