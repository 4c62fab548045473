"""Lesson 04, exercise 3: probes that tell right-shaped wrong views of the heads apart."""

from torch import randn_like

from course_lib.checks.exercise import Exercise, Mistake, Property
from course_lib.checks.heads_in_one_matrix.probe_cases import cases
from course_lib.checks.heads_in_one_matrix.probes import (
    BACKWARDS,
    across_sentences,
    all_with,
    connected,
    connected_with,
    equivariant,
    exactly,
    exactly_alone,
    few_tokens,
    first_sentence,
    independent,
    invariant,
    last_alone,
    last_sentence,
    moves_another,
    one_feature,
    other_order,
    own_output,
    probing_with,
    reversed_order,
    same_sum,
    sentences_drawn,
    sentences_shuffled,
    shifted,
    token_alone,
    whole_batch,
    within,
)


def probe_layer(layer, x):
    return equivariant(layer, x), independent(layer, x), connected(layer, x)


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
                "1% of the mean of the sentence",
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
    mistakes=(
        Mistake(
            "sentences_shuffled",
            "For equivariant you shuffle the sentences. x is (batch, seq_len, d_model): the tokens "
            "are dimension 1, as in x[:, order].",
            probing_with(equivariant=sentences_shuffled),
            also=(probing_with(equivariant=BACKWARDS), probing_with(equivariant=sentences_drawn)),
        ),
        Mistake(
            "few_tokens",
            "For equivariant your order has not as many entries as there are tokens, so it leaves "
            "some out. The tokens are x.shape[1]; len(x) counts the sentences.",
            probing_with(equivariant=few_tokens),
        ),
        Mistake(
            "special_order",
            "For equivariant you try one special order. An order such as reversing or shifting is "
            "kept by layers that know their neighbours: take a shuffled one, torch.randperm.",
            probing_with(equivariant=reversed_order),
            also=(probing_with(equivariant=shifted),),
        ),
        Mistake(
            "invariant",
            "For equivariant you ask whether the output stays the same when the tokens change "
            "places. It should change places along with them: shuffle the output of x as well.",
            probing_with(equivariant=invariant),
        ),
        Mistake(
            "exact",
            "For equivariant you ask for exactly equal numbers. Sums in another order are off by "
            "about 1e-7: allow a small difference, such as atol=1e-5.",
            probing_with(equivariant=exactly),
            also=(probing_with(equivariant=exactly, independent=exactly_alone),),
        ),
        Mistake(
            "batch_shuffled",
            "For independent you shuffle the sentences and ask whether the outputs follow. Adding "
            "the mean of the batch follows too, and it is not independent. Run a sentence alone, "
            "and compare with the same sentence in the batch.",
            probing_with(independent=sentences_shuffled),
            also=(probing_with(independent=BACKWARDS),),
        ),
        Mistake(
            "first_sentence_only",
            "For independent you look at the first sentence only. Where each sentence depends on "
            "those before it, the first depends on none: look at all of them.",
            probing_with(independent=first_sentence),
        ),
        Mistake(
            "last_sentence_only",
            "For independent you look at the last sentence only. Where each sentence depends on "
            "those after it, the last depends on none: look at all of them.",
            probing_with(independent=last_sentence),
        ),
        Mistake(
            "exact_alone",
            "For independent you ask for exactly equal numbers. A sentence alone may be summed in "
            "another order: allow a small difference, such as atol=1e-5.",
            probing_with(independent=exactly_alone),
        ),
        Mistake(
            "own_output",
            "For connected you find a change in every layer. Either you look at all outputs, and "
            "that of the changed token changes always: leave it out. Or the changes pile up, since "
            "z = x is no copy: x.clone() is.",
            probing_with(connected=own_output),
        ),
        Mistake(
            "whole_batch",
            "For connected you change one token and look at the tokens of all sentences. Change "
            "one of sentence b, and look at the other tokens of sentence b only.",
            probing_with(connected=whole_batch),
            also=(probing_with(connected=lambda layer, x: whole_batch(layer, x, len(x))),),
        ),
        Mistake(
            "across_sentences",
            "For connected a change in one sentence counts when it shows in another one. Change "
            "one token of one sentence, x[b, t], and look at the other tokens of sentence b only.",
            probing_with(connected=across_sentences),
        ),
        Mistake(
            "token_alone",
            "For connected you compare a token alone with the token in its sentence. A layer that "
            "adds positions gives another answer too, and there no token sees another. Keep the "
            "length, and change one token.",
            probing_with(connected=token_alone),
        ),
        Mistake(
            "first_token_only",
            "For connected you change the first token only. In some layers the others do not look "
            "at it, and still look at each other: try every token.",
            probing_with(connected=lambda layer, x: moves_another(layer, x, 0)),
        ),
        Mistake(
            "last_token_only",
            "For connected you change the last token only. With a causal mask nobody sees it, and "
            "the others do see each other: try every token.",
            probing_with(connected=lambda layer, x: moves_another(layer, x, x.shape[1] - 1)),
        ),
        Mistake(
            "constant_added",
            "For connected you add the same number to all features of a token. A LayerNorm takes "
            "that out again, so behind one no token seems to see another: put random numbers in "
            "the token's place.",
            probing_with(connected=connected_with(lambda token: token + 1)),
        ),
        Mistake(
            "scaled",
            "For connected you multiply a token by a number. A LayerNorm takes the factor out "
            "again, so behind one no token seems to see another: put random numbers in the "
            "token's place.",
            probing_with(connected=connected_with(lambda token: 2 * token)),
        ),
        Mistake(
            "one_feature",
            "For connected you change one feature of a token. A layer may look at another one: "
            "put random numbers in the place of them all.",
            probing_with(connected=connected_with(one_feature)),
        ),
        Mistake(
            "one_sentence",
            "For connected you try the tokens of one sentence only. What a layer does may depend "
            "on the words: try every sentence.",
            probing_with(connected=connected_with(randn_like, sentences=lambda batch: range(1))),
        ),
        Mistake(
            "every_token",
            "For connected you ask that every token changes another one. One that does is enough: "
            "with a causal mask nobody sees the last token.",
            probing_with(connected=connected_with(randn_like, verdict=all)),
        ),
        Mistake(
            "turned_round",
            "For connected you answer True where no token reaches another. The answer is turned "
            "round.",
            probing_with(connected=lambda layer, x: not connected(layer, x)),
        ),
        Mistake(
            "last_try",
            "Each of your tries overwrites the answer of the one before, so the last sentence and "
            "the last token decide alone. Keep what was found: all(...) for independent, any(...) "
            "for connected.",
            probing_with(
                independent=last_alone,
                connected=connected_with(randn_like, verdict=lambda moved: moved[-1]),
            ),
        ),
        Mistake(
            "too_loose",
            "You allow too large a difference, so an influence of 1% passes for none. Rounding in "
            "float32 needs about 1e-5.",
            all_with(within(0.5)),
            also=(all_with(within(0.1)), all_with(within(0.01))),
        ),
        Mistake(
            "sums",
            "You compare sums of the outputs. Outputs that change places have the same sum, and so "
            "have many others: compare every number.",
            all_with(same_sum),
        ),
        Mistake(
            "other_order",
            "Your answers come in another order: (equivariant, independent, connected).",
            other_order,
        ),
    ),
)
