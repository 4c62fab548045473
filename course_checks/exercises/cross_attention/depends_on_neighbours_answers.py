"""Answers to depends_on_neighbours (lesson 06, exercise 6), right and wrong, as students write them."""

import functools

import numpy as np
import torch
import torch.nn.functional as F


# right
def backwards(model, source, lengths):
    together, answers = model(source, lengths), []
    for b in reversed(range(len(lengths))):
        short = source[[b]][:, : int(lengths[b])]
        answers.insert(0, model(short, lengths[b].reshape(1)))
    return not ((torch.cat(answers) - together).abs() <= 1e-4).all()


# right
def numpy(model, source, lengths):
    answers = [
        model(source[b, :n].unsqueeze(0), torch.tensor([n])).numpy()
        for b, n in enumerate(lengths.tolist())
    ]
    together = model(source, lengths).numpy()
    return not np.allclose(np.concatenate(answers), together, rtol=0, atol=1e-5)


# wrong: every sentence has to differ before it says True
# named: all_must_move
def all_must_differ(model, source, lengths):
    together = model(source, lengths)
    differs = []
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        differs.append(not torch.allclose(alone[0], together[b], atol=1e-5))
    return all(differs)


# wrong: torch.equal, which takes rounding for a difference
# named: exact
def bitwise(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.equal(alone, together)


# wrong: each answer is compared with row 0 of the batch
# named: always_depends
def compared_with_row_zero(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[0], atol=1e-5):
            return True
    return False


# wrong: compares the first feature of the answers only
# named: first_feature
def first_feature(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if not torch.allclose(alone[0, 0], together[b, 0], atol=1e-5):
            return True
    return False


# wrong: looks at sentence 0 only
# named: first_only
def first_only(model, source, lengths):
    y = model(source, lengths)
    n = int(lengths[0])
    return not torch.allclose(model(source[:1, :n], lengths[:1])[0], y[0], atol=1e-5)


# wrong: returns True when they agree
# named: inverted
def inverted_2(model, source, lengths):
    y = model(source, lengths)
    alone = [
        model(source[b : b + 1, : int(n)], lengths[b : b + 1])[0] for b, n in enumerate(lengths)
    ]
    return torch.allclose(torch.stack(alone), y, atol=1e-5)


# wrong: the return stands in the loop, so only the first comparison counts
# named: last_only
def last_sentence_only(model, source, lengths):
    together = model(source, lengths)
    for b, length in reversed(list(enumerate(lengths.tolist()))):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        return not torch.allclose(alone[0], together[b], atol=1e-5)


# wrong: only pads further with zeros
# named: more_padding
# points: 4
def longer_padding_only(model, source, lengths):
    longer = F.pad(source, (0, 0, 0, 3))
    return not torch.allclose(model(longer, lengths), model(source, lengths), atol=1e-5)


# wrong: (a - b).abs().max() > 1e-5, which says False where the padding makes NaN
# named: not_a_number
def max_greater_than(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if (alone[0] - together[b]).abs().max() > 1e-5:
            return True
    return False


# wrong: only the padding is changed, the neighbours stay
# named: other_padding
def only_changes_padding(model, source, lengths):
    other = source.clone()
    for b, length in enumerate(lengths.tolist()):
        other[b, length:] = 5.0
    return not torch.allclose(model(other, lengths), model(source, lengths), atol=1e-5)


# wrong: the padding is set to zero in the source itself
# named: other_padding | changes_input
def padding_zeroed_in_place(model, source, lengths):
    before = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        source[b, length:] = 0
    return not torch.allclose(model(source, lengths), before, atol=1e-5)


# wrong: looks at the shortest sentence only
# named: shortest_only
def shortest_only(model, source, lengths):
    b = int(lengths.argmin())
    alone = model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])
    return not torch.allclose(alone[0], model(source, lengths)[b], atol=1e-5)


# wrong: compares the sums of the features of each answer
# named: sums
def sums_compared(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone.sum(dim=1), together.sum(dim=1), atol=1e-4)


# wrong: each sentence alone gets the first length, cut at its own
def length_of_the_first(model, source, lengths):
    y = model(source, lengths)
    for b, n in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :n], lengths[:1].clamp(max=n))
        if not torch.allclose(alone[0], y[b], atol=1e-5):
            return True
    return False


# wrong: compares the model's answer with itself
# named: asked_twice
def asked_the_same(model, source, lengths):
    return not torch.allclose(model(source, lengths), model(source, lengths), atol=1e-5)


# wrong: allows a difference of 0.01
# named: too_loose
def tolerance_of_a_hundredth(model, source, lengths):
    y = model(source, lengths)
    return any(
        not torch.allclose(model(source[b : b + 1, :n], lengths[b : b + 1])[0], y[b], atol=0.01)
        for b, n in enumerate(lengths.tolist())
    )


# wrong: tries sentences in pairs
# named: keeps_padding
# points: 3
def in_pairs(model, source, lengths):
    pairs = [model(source[b : b + 2], lengths[b : b + 2])[0] for b in range(len(source))]
    return not torch.allclose(torch.stack(pairs), model(source, lengths), atol=1e-5)


# wrong: hands the model a sentence without its batch dimension
# says: stopped with an error
def without_the_batch(model, source, lengths):
    return bool((model(source[0], lengths[0]) - model(source, lengths)[0]).abs().max() > 1e-5)


# other inputs
def readers():
    """One answer per sentence, right ones and others; others than the check's."""

    def real(source, lengths):
        return (torch.arange(source.shape[1]) < lengths[:, None])[..., None]

    def largest(source, lengths):
        return source.masked_fill(~real(source, lengths), -torch.inf).amax(dim=1)

    yield from (largest, lambda source, lengths: source[:, 0] * lengths[:, None])
    yield from (lambda source, lengths: source.amax(dim=1), lambda source, lengths: source[:, -1])
    yield lambda source, lengths: largest(source, lengths) - source[:1, 0]
    yield lambda source, lengths: largest(source, lengths).cumsum(dim=0)
    yield lambda source, lengths: largest(source, lengths) / lengths.max()
    yield lambda source, lengths: largest(source, lengths) / len(lengths)


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((model, randn(4, 5, 3), torch.tensor([3, 5, 1, 4])) for model in readers())
