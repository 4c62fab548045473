"""Answers to depends_on_neighbours (lesson 06, exercise 6), right and wrong, as students write them."""

import numpy as np
import torch
import torch.nn.functional as F


# wrong: True only if the answers of all sentences differ
# named: all_must_move
def all_sentences(model, source, lengths):
    y = model(source, lengths)
    return all(
        not torch.allclose(
            model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])[0], y[b], atol=1e-5
        )
        for b in range(len(source))
    )


# wrong: every sentence has to differ before it says True
# named: all_must_move
def all_must_differ(model, source, lengths):
    together = model(source, lengths)
    differs = []
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        differs.append(not torch.allclose(alone[0], together[b], atol=1e-5))
    return all(differs)


# right
def alone_in_one_go(model, source, lengths):
    together = model(source, lengths)
    alone = [
        model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths.tolist())
    ]
    return not torch.allclose(torch.cat(alone), together, atol=1e-5)


# right
def any_over_a_generator(model, source, lengths):
    answers = model(source, lengths)

    def differs(b):
        alone = model(source[[b]][:, : lengths[b]], lengths[[b]])
        return not np.allclose(alone[0].detach().numpy(), answers[b].detach().numpy(), atol=1e-5)

    return any(differs(b) for b in range(len(lengths)))


# right
def assert_close(model, source, lengths):
    together = model(source, lengths)
    try:
        for b, n in enumerate(lengths):
            alone = model(source[b : b + 1, :n], n.reshape(1))
            torch.testing.assert_close(alone, together[b : b + 1], atol=1e-5, rtol=1e-4)
    except AssertionError:
        return True
    return False


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


# right
def concatenated(model, source, lengths):
    alone = torch.cat([model(s[None, : int(n)], n[None]) for s, n in zip(source, lengths)])
    gap = (alone - model(source, lengths)).abs()
    return bool(gap.max() > 1e-5) or bool(gap.isnan().any())


# wrong: compares directions only
def cosine(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return bool((F.cosine_similarity(alone, together, dim=-1) < 0.999).any())


# wrong: cuts the batch at its longest sentence, which a batch with a full sentence already is
# named: cut_at_longest
def cut_at_longest(model, source, lengths):
    shorter = source[:, : lengths.max()]
    return not torch.allclose(model(shorter, lengths), model(source, lengths), atol=1e-5)


# wrong: decides after the first sentence
# named: first_only
def early_return(model, source, lengths):
    together = model(source, lengths)
    for b, n in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :n], lengths[b : b + 1])
        if torch.allclose(alone[0], together[b], atol=1e-5):
            return False
        return True


# wrong: asks for exact equality, so rounding looks like a dependence
# named: exact
def exact(model, source, lengths):
    together = model(source, lengths)
    alone = [
        model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths.tolist())
    ]
    return not torch.equal(torch.cat(alone), together)


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


# wrong: looks at sentence 0 only
# named: first_only
def first_sentence_only(model, source, lengths):
    together = model(source, lengths)
    alone = model(source[:1, : lengths[0]], lengths[:1])
    return not torch.allclose(alone[0], together[0], atol=1e-5)


# wrong: True and False are exchanged
# named: inverted
def inverted(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return torch.allclose(alone, together, atol=1e-5)


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


# wrong: the lengths of all sentences are given along with a single sentence
def lengths_not_cut(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths)
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# wrong: only pads further with zeros
# named: more_padding
def longer_padding_only(model, source, lengths):
    longer = F.pad(source, (0, 0, 0, 3))
    return not torch.allclose(model(longer, lengths), model(source, lengths), atol=1e-5)


# wrong: atol=0.5 lets real differences pass
# named: too_loose
def loose(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone, together, atol=0.5)


# wrong: atol=0.1 lets small differences pass
# named: too_loose
def loose_tenth(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone, together, atol=0.1)


# wrong: (a - b).abs().max() > 1e-5, which says False where the padding makes NaN
# named: not_a_number
def max_greater_than(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if (alone[0] - together[b]).abs().max() > 1e-5:
            return True
    return False


# wrong: compares the mean over the batch of both answers
# named: mean_over_batch
def means_compared(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone.mean(dim=0), together.mean(dim=0), atol=1e-5)


# wrong: collects the largest difference with Python's max(worst, ...), which drops NaN: an answer that becomes NaN counts as equal
# named: not_a_number
def more_company(model, source, lengths):
    with torch.no_grad():
        whole = model(source.clone(), lengths.clone())
        worst = 0.0
        for b in range(source.shape[0]):
            n = int(lengths[b])
            alone = model(source[b, :n].unsqueeze(0).clone(), lengths[b].reshape(1))
            worst = max(worst, (alone.squeeze(0) - whole[b]).abs().max().item())
    return bool(not worst < 1e-5)


# wrong: equal_nan and nan_to_num, so a NaN passes for an answer of 0
# named: not_a_number
def nan_counts_as_equal(model, source, lengths):
    together = model(source, lengths).nan_to_num(0.0)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    ).nan_to_num(0.0)
    close = torch.isclose(alone, together, atol=1e-5) | (together == 0)
    return not bool(close.all())


# wrong: the neighbours are replaced, but the padding stays as it is
# named: other_neighbours
def neighbours_replaced(model, source, lengths):
    together = model(source, lengths)
    for b in range(len(source)):
        other = torch.randn_like(source)
        other[b] = source[b]
        if not torch.allclose(model(other, lengths)[b], together[b], atol=1e-5):
            return True
    return False


# wrong: hands over a sentence without its batch dimension
def no_batch_axis(model, source, lengths):
    together = model(source, lengths)
    for b, n in enumerate(lengths.tolist()):
        alone = model(source[b, :n], lengths[b])
        if not torch.allclose(alone, together[b], atol=1e-5):
            return True
    return False


# wrong: source[b, :length] without the dimension of the batch
def no_batch_dimension(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        if not torch.allclose(model(source[b, :length], lengths[b]), together[b], atol=1e-5):
            return True
    return False


# right
def not_below(model, source, lengths):
    together = model(source, lengths)
    for b in range(source.shape[0]):
        n = lengths[b].item()
        alone = model(source[b, :n][None], torch.tensor([n]))
        same = (alone.squeeze(0) - together[b]).abs() <= 1e-4
        if not bool(same.all()):
            return True
    return False


# wrong: the sentence stands alone but keeps its padding
# named: keeps_padding
def not_cut(model, source, lengths):
    together = model(source, lengths)
    for b in range(len(source)):
        alone = model(source[b : b + 1], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# wrong: takes the sentence alone but does not cut it at its length, so what the padding does goes unseen
# named: keeps_padding
def not_cut_2(model, source, lengths):
    y = model(source, lengths)
    return any(
        not torch.allclose(model(source[b : b + 1], lengths[b : b + 1])[0], y[b], atol=1e-5)
        for b in range(len(source))
    )


# wrong: cuts one token too early
# named: always_depends
def off_by_one(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        n = max(length - 1, 1)
        alone = model(source[b : b + 1, :n], torch.tensor([n]))
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# wrong: only the padding is changed, the neighbours stay
# named: other_padding
def only_changes_padding(model, source, lengths):
    other = source.clone()
    for b, length in enumerate(lengths.tolist()):
        other[b, length:] = 5.0
    return not torch.allclose(model(other, lengths), model(source, lengths), atol=1e-5)


# wrong: skips the sentences with padding
# not named yet: first_only
def only_full_sentences(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        if length < source.shape[1]:
            continue
        alone = model(source[b : b + 1], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# wrong: skips the sentences without padding
# named: skips_full
def only_padded_sentences(model, source, lengths):
    together = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        if length == source.shape[1]:
            continue
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        if not torch.allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# wrong: the batch is only put in another order
# named: shuffled
def only_reorders(model, source, lengths):
    turned = model(source.flip(0), lengths.flip(0)).flip(0)
    return not torch.allclose(turned, model(source, lengths), atol=1e-5)


# wrong: the padding is set to zero in the source itself
# named: other_padding | changes_input
def padding_zeroed_in_place(model, source, lengths):
    before = model(source, lengths)
    for b, length in enumerate(lengths.tolist()):
        source[b, length:] = 0
    return not torch.allclose(model(source, lengths), before, atol=1e-5)


# wrong: returns one answer for each sentence
def returns_each(model, source, lengths):
    together = model(source, lengths)
    answers = []
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        answers.append(not torch.allclose(alone[0], together[b], atol=1e-5))
    return answers


# wrong: atol=0 and a relative tolerance, which rounding near 0 breaks
# named: exact
def rtol_only(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone, together, rtol=1e-8, atol=0)


# wrong: looks at the shortest sentence only
# named: shortest_only
def shortest_only(model, source, lengths):
    b = int(lengths.argmin())
    alone = model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])
    return not torch.allclose(alone[0], model(source, lengths)[b], atol=1e-5)


# right
def split(model, source, lengths):
    together = model(source, lengths)
    for row, sentence, length in zip(together, source.split(1), lengths.split(1), strict=True):
        (alone,) = model(sentence.narrow(1, 0, int(length)), length)
        if not torch.isclose(alone, row, atol=1e-5).all():
            return True
    return False


# wrong: compares the sums of the features of each answer
# named: sums
def sums_compared(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone.sum(dim=1), together.sum(dim=1), atol=1e-4)


# wrong: returns True when nothing depends
# named: inverted
def turned_round(model, source, lengths):
    together = model(source, lengths)
    return all(
        torch.allclose(
            model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])[0], together[b], atol=1e-5
        )
        for b in range(len(lengths))
    )


# wrong: only sets the padding to 0 and compares; the neighbours are never changed
# named: other_padding
def zeroed_padding(model, source, lengths):
    clean = source.clone()
    for b, n in enumerate(lengths.tolist()):
        clean[b, n:] = 0
    return not torch.allclose(model(clean, lengths), model(source, lengths), atol=1e-5)


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
