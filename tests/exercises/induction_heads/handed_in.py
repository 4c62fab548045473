"""Answers to the exercises on induction heads, of the kind that students hand in."""

import math

import torch

import course_checks as checks


def empty_rows_count(weights, mask):
    entropy = -(weights * weights.log()).nan_to_num().sum(dim=-1)
    return (entropy / mask.expand(weights.shape).sum(dim=-1).log()).nanmean(dim=(0, 2))


def share_of_maximum(weights, mask):
    """One maximum for all queries, and all queries count."""
    entropy = torch.special.entr(weights).sum(dim=-1)
    return entropy.mean(dim=(0, 2)) / math.log(weights.shape[-1])


def one_effect(stream, twin_stream, said, twin_said, lead):
    """Patches the head for all its readers, and returns that three times."""
    a, b, moved = (lead(*3 * [x]) for x in (stream, twin_stream, stream - said + twin_said))
    return 3 * [(moved - a) / (b - a)]


def longer_of_both(stream, twin_stream, said, twin_said, lead):
    """Takes the entry that is larger in size, of what the head says in the two runs."""
    larger = torch.where(said.abs() > twin_said.abs(), said, twin_said)
    return checks.path_effects.exercise.reference(stream, twin_stream, said, larger, lead)


def of_first_text(weights, tokens):
    return checks.induction.exercise.reference(weights, tokens[:1].expand_as(tokens))


def last_equal_by_dict(weights, tokens):
    scores, count = weights.new_zeros(weights.shape[1]), 0
    for b, text in enumerate(tokens.tolist()):
        places = {}
        for i, token in enumerate(text):
            if token in places:
                scores += weights[b, :, i, places[token] + 1]
                count += 1
            places[token] = i
    return scores / count


def one_number_at_a_time(measure, num_heads, chosen):
    return measure(()) - measure(chosen[0])


def without_first_row(weights, mask):
    return checks.entropy_share.exercise.reference(
        weights[:, :, 1:], mask.expand(weights.shape)[:, :, 1:]
    )


def _targets(tokens):
    earlier = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    return torch.nn.functional.pad(earlier[:, :, :-1], (1, 0))


def counts_what_gets_weight(weights, tokens):
    on_targets = (weights * _targets(tokens)[:, None]).sum(dim=-1)
    return on_targets.sum(dim=(0, 2)) / (on_targets > 0).sum(dim=(0, 2))


def _text_by_text(weights, tokens, least=0):
    counts = _targets(tokens).any(dim=-1).sum(dim=-1)  # (batch,)
    sums = (weights * _targets(tokens)[:, None]).sum(dim=(2, 3))  # (batch, num_heads)
    return sums / counts.clamp(min=least)[:, None]


def mean_of_texts(weights, tokens):
    return _text_by_text(weights, tokens).mean(dim=0)


def mean_of_texts_that_count(weights, tokens):
    return _text_by_text(weights, tokens).nanmean(dim=0)


def mean_of_texts_clamped(weights, tokens):
    return _text_by_text(weights, tokens, least=1).mean(dim=0)


def moved_before_tril(weights, tokens):
    """Moves the table first, and then takes what lies strictly below the diagonal."""
    equal = torch.nn.functional.pad((tokens[:, :, None] == tokens[:, None, :])[:, :, :-1], (1, 0))
    targets = equal.tril(-1)
    found = (weights * targets[:, None]).sum(dim=-1).sum(dim=(0, 2))
    return found / targets.any(dim=-1).sum()


def for_each_target(weights, tokens):
    targets = _targets(tokens)
    return (weights * targets[:, None]).sum(dim=(0, 2, 3)) / targets.sum()


def control_first(measure, num_heads, chosen):
    return checks.cost_and_control.exercise.reference(measure, num_heads, chosen)[::-1]


def from_a_perfect_model(measure, num_heads, chosen):
    def perfect(removed):
        return measure(removed) if removed else 1.0

    return checks.cost_and_control.exercise.reference(perfect, num_heads, chosen)


ANSWERS = [
    (
        "entropy_share",
        without_first_row,
        None,
        "first_query_dropped",
        "You always leave out the first query.",
    ),
    (
        "path_effects",
        one_effect,
        None,
        "whole_head",
        "You give the patched stream to all three readers.",
    ),
    ("induction", counts_what_gets_weight, 5, "queries_that_look_there", "look elsewhere"),
    ("induction", mean_of_texts, None, "text_first", "mean of each text first"),
    ("induction", mean_of_texts_that_count, None, "text_first", "mean of each text first"),
    ("induction", mean_of_texts_clamped, None, "text_first", "mean of each text first"),
    ("induction", moved_before_tril, None, "own_place_left_out", "before you move it"),
    ("induction", for_each_target, None, "all_targets", "queries that have one"),
    ("cost_and_control", control_first, 0, "swapped", "(cost, control)"),
    (
        "cost_and_control",
        from_a_perfect_model,
        0,
        "from_1",
        "You take the whole model's accuracy for 1.",
    ),
    ("entropy_share", empty_rows_count, 5, None, "one token, or none"),
    ("entropy_share", share_of_maximum, 3, "without_mask", "do not use the mask"),
    ("path_effects", longer_of_both, 0, None, "each path alone"),
    (
        "induction",
        of_first_text,
        None,
        "first_texts_targets",
        "You take the targets of the first text for all of them.",
    ),
    ("induction", last_equal_by_dict, 4, "last_one_only", "add their weights"),
    ("cost_and_control", one_number_at_a_time, 0, None, "removed is a tuple of heads"),
]
