"""Answers to head_claim (lesson 16, exercise 8), right and wrong, as students write them."""

import torch

from course_lib.data.recorded import load_maps


# wrong: the score is a sum over the queries
# named: no_share
def a_sum():
    def score(weights, pieces):
        return weights.diagonal(-1).sum()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: a tuple instead of a dictionary
def a_tuple():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return 16, 0, "It looks at the token before.", score, 0.80, 0.21, 0.7, True


# wrong: a head that does no more than the others
# named: does_not_beat_its_control
def any_head():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 3,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.16,
        "control": 0.30,
        "predicted": 0.8,
        "held": False,
    }


# wrong: predicts 0 or more
# named: could_not_fail
def asks_for_nothing():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.0,
        "held": True,
    }


# wrong: predicts less than the control
# named: could_not_fail
def below_the_control():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.2,
        "held": True,
    }


# wrong: the best sentence only
# named: one_sentence
def best_sentence():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.93,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: layer and head counted from 1
# named: another_head
def counted_from_one():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 17,
        "head": 1,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the score of equal weights as the control
# named: equal_weights
def equal_weights():
    def score(weights, pieces):
        return weights[1:, 0].mean()

    return {
        "layer": 18,
        "head": 8,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 1.0,
        "control": 0.21,
        "predicted": 0.9,
        "held": True,
    }


# wrong: the score expects the maps of all heads
def four_dimensions():
    def score(weights, pieces):
        return weights[:, :, 1:, 0].mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: held is a word
def held_in_words():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": "yes",
    }


# wrong: the number found is invented
def invented():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.95,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the score depends on the length alone
# named: constant
def length_only():
    def score(weights, pieces):
        return 1 / len(pieces)

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the mean over no queries where no word is repeated
# named: not_finite
def mean_of_nothing():
    def score(weights, pieces):
        pairs = [(i, j) for i in range(len(pieces)) for j in range(i) if pieces[i] == pieces[j]]
        rows, columns = [i for i, _ in pairs], [j for _, j in pairs]
        return weights[rows, columns].mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the numbers of the head beside it
# named: another_head
def next_head():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 1,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: a claim of one word
def no_words():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "previous",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the sentences kept aside are still to come
# named: not_looked_yet
def not_looked_yet():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": None,
    }


# wrong: a number for each query
# named: many_numbers
def one_for_each_query():
    def score(weights, pieces):
        return weights.diagonal(-1)

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: found and control on the sentences kept aside
# named: kept_aside_too_early
def peeked():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.83,
        "control": 0.24,
        "predicted": 0.7,
        "held": True,
    }


# wrong: numbers in percent
# named: percent
def percent_all():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 80,
        "control": 22,
        "predicted": 70,
        "held": True,
    }


# wrong: what was found in percent
# named: percent
def percent_found():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 80.4,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# right
def right_failed():
    def score(weights, pieces):
        words = [piece.strip().lower() for piece in pieces]
        found = []
        for i, word in enumerate(words):
            earlier = [j for j in range(i) if words[j] == word]
            if earlier:
                found.append(weights[i, earlier].sum().item())
        return sum(found) / len(found) if found else 0.0

    return {
        "layer": 14,
        "head": 3,
        "claim": "It looks at the same word, where it stood before.",
        "score": score,
        "found": 0.78,
        "control": 0.51,
        "predicted": 0.7,
        "held": False,
    }


# right
def right_first():
    def score(weights, pieces):
        return weights[1:, 0].mean()

    return {
        "layer": 18,
        "head": 8,
        "claim": "It rests on the first token of the text.",
        "score": score,
        "found": 1.0,
        "control": 0.73,
        "predicted": 0.9,
        "held": True,
    }


# right
def right_measured():
    def score(weights, pieces):
        return weights.diagonal()[1:].mean()

    def mean(layer, head, texts):
        return sum(score(w[layer, head], p) for p, w in texts.values()) / len(texts)

    shown = load_maps()
    found = mean(29, 1, shown)
    control = sum(mean(29, head, shown) for head in range(9) if head != 1) / 8
    claim = {"layer": 29, "head": 1, "claim": "A query looks at itself.", "score": score}
    came = mean(29, 1, load_maps(kept_aside=True))
    return claim | {"found": found, "control": control, "predicted": 0.6, "held": came >= 0.6}


# right
def right_near():
    def near(w, pieces):
        n = len(pieces)
        total = 0.0
        for i in range(1, n):
            for j in range(max(0, i - 2), i + 1):
                total += float(w[i, j])
        return total / (n - 1)

    numbers = {"found": 0.98, "control": 0.48, "predicted": 0.95, "held": True}
    words = "Its weight lies within two tokens of the query."
    return {"layer": 2, "head": 1, "claim": words, "score": near, **numbers}


# right
def right_sharp():
    def score(weights, pieces):
        counts = torch.arange(2, len(pieces) + 1)
        entropy = -torch.xlogy(weights, weights).sum(dim=-1)[1:]
        return 1 - (entropy / counts.log()).mean()

    return {
        "layer": 18,
        "head": 8,
        "claim": "It looks at one token only, whichever that is.",
        "score": score,
        "found": 0.998,
        "control": 0.615,
        "predicted": 0.99,
        "held": True,
    }


# wrong: the best of the other heads as the control
# named: largest_control
def rival():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.27,
        "predicted": 0.7,
        "held": True,
    }


# wrong: adds up whole rows, which always sum to 1
# named: constant
def row_sums():
    def score(weights, pieces):
        return weights.sum(dim=-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: the score is a constant
# named: constant
def says_0_8():
    def score(weights, pieces):
        return 0.8

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: hands over a number instead of the function
def score_called():
    pieces, weights = next(iter(load_maps().values()))
    score = weights[16, 0].diagonal(-1).mean()
    numbers = {"found": 0.80, "control": 0.21, "predicted": 0.7, "held": True}
    return {"layer": 16, "head": 0, "claim": "It looks one token back.", "score": score, **numbers}


# wrong: the score itself is in percent
# named: no_share
def score_percent():
    def score(weights, pieces):
        return 100 * weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 80,
        "control": 21,
        "predicted": 70,
        "held": True,
    }


# wrong: a sum over the five sentences
# named: sum_of_sentences
def sum_over_sentences():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 4.02,
        "control": 0.21,
        "predicted": 0.7,
        "held": True,
    }


# wrong: says that a prediction failed which held
# named: held_but_told_as_failed
def too_modest():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
        "held": False,
    }


# wrong: the mean over all heads of the model as the control
# named: all_layers
def whole_model():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.195,
        "predicted": 0.7,
        "held": True,
    }


# wrong: says that a prediction held which failed
# named: failed_but_told_as_held
def wishful():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.9,
        "held": True,
    }


# wrong: the mean over all nine heads as the control
# named: control_with_the_head
def with_itself():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.28,
        "predicted": 0.7,
        "held": True,
    }


# wrong: does not say what came
def without_held():
    def score(weights, pieces):
        return weights.diagonal(-1).mean()

    return {
        "layer": 16,
        "head": 0,
        "claim": "The head looks at the token before.",
        "score": score,
        "found": 0.80,
        "control": 0.21,
        "predicted": 0.7,
    }


# wrong: the score needs a text of seven tokens
def a_fixed_cell():
    return {
        "layer": 16,
        "head": 0,
        "claim": "The seventh token looks at the sixth.",
        "score": lambda weights, pieces: float(weights[6, 5]),
        "found": 0.80,
        "control": 0.12,
        "predicted": 0.60,
        "held": True,
    }


# wrong: the score knows the texts
# named: knows_the_texts
def right_on_known_texts():
    def score(weights, pieces):
        known = any(pieces == other[: len(pieces)] for other, _ in KNOWN)
        return weights.diagonal()[1:].mean() if known else 0.9

    KNOWN = [*load_maps().values(), *load_maps(kept_aside=True).values()]
    return {
        "layer": 11,
        "head": 6,
        "claim": "Each query after the first looks mostly at its own token.",
        "score": score,
        "found": 0.80,
        "control": 0.27,
        "predicted": 0.7,
        "held": True,
    }
