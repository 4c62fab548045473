"""Answers to the exercises on serving, of the kind that students hand in."""

import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import scaled_dot_product_attention


def rows_alone(events, num_pages, page_size):
    return checks.page_rows.exercise.reference(events, num_pages, page_size)[0]


def whole_pool_in_order(events, num_pages, page_size):
    rows, row = [], 0
    for _, new in events:
        rows += range(row, row + new)
        row += new
    return rows, list(range(-(-row // page_size), num_pages))


def best_of_the_first(prompts, page_size):
    """Compares with the first prompt alone."""
    found = []
    for prompt in prompts:
        same = 0
        while (
            found and same < min(len(prompt), len(prompts[0])) and prompt[same] == prompts[0][same]
        ):
            same += 1
        found.append(same // page_size)
    return found


def one_number(prompts, page_size):
    return sum(checks.shared_pages.exercise.reference(prompts, page_size))


def pages_in_a_set(prompts, page_size):
    """Pages by what stands in them, wherever they stand."""
    known, found = set(), []
    for prompt in prompts:
        pages = [tuple(prompt[i : i + page_size]) for i in range(0, len(prompt), page_size)]
        pages = [page for page in pages if len(page) == page_size]
        number = 0
        for page in pages:
            if page not in known:
                break
            number += 1
        found.append(number)
        known |= set(pages)
    return found


def stand_with(count, length=lambda lengths, stand: lengths + 1 + stand):
    """``count`` counts the guesses that stand, from which of them fit."""

    def check_guesses(guesses, logits, lengths):
        says = logits.argmax(-1)
        stand = count(guesses == says[:, :-1])
        return stand, says[torch.arange(len(says)), stand], length(lengths, stand)

    return check_guesses


def in_a_row(fits):
    return fits.long().cumprod(1).sum(1)


def as_floats(guesses, logits, lengths):
    stand, token, length = checks.check_guesses.exercise.reference(guesses, logits, lengths)
    return stand.float(), token, length


def draws(rest):
    """Accepts as it should, and draws what is refused from ``rest(target, draft)``."""

    def accept_or_draw(target, draft, guesses, uniforms):
        rows = torch.arange(len(guesses))
        accept = (target / draft)[rows, guesses].clamp(max=1)
        left = rest(target, draft)
        left = left / left.sum(1, keepdim=True)
        drawn = (left.cumsum(1) <= uniforms[:, 1:]).sum(1)
        return accept, left, torch.where(uniforms[:, 0] < accept, guesses, drawn)

    return accept_or_draw


def by_chance(target, draft, guesses, uniforms):
    accept, left, token = draws(lambda p, q: (p - q).clamp(min=0))(target, draft, guesses, uniforms)
    drawn = torch.multinomial(left, 1)[:, 0] if len(left) else token
    return accept, left, torch.where(uniforms[:, 0] < accept, guesses, drawn)


def by_dimension(dim, codes=torch.round):
    def quantise(keys, bits):
        low = keys.min(dim, keepdim=True).values
        scale = (keys.max(dim, keepdim=True).values - low) / (2**bits - 1)
        steps = torch.where(scale > 0, (keys - low) / scale, 0)
        return codes(steps), scale, low

    return quantise


def whole_numbers(keys, bits):
    codes, scale, low = by_dimension(1)(keys, bits)
    return codes.long(), scale, low


def all_keys_hidden(query, key, value, index_scores, k):
    n = len(index_scores)
    past = torch.ones(n, n).tril().bool()
    best = index_scores.masked_fill(~past, -math.inf).topk(min(k, n)).indices
    chosen = torch.zeros(n, n).scatter(1, best, 1.0).bool() & past
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~chosen, -math.inf).softmax(-1) @ value, chosen


def chosen_by_the_library(query, key, value, index_scores, k):
    chosen = all_keys_hidden(query, key, value, index_scores, k)[1]
    return scaled_dot_product_attention(query, key, value, mask=chosen)[0], chosen


def chosen_by_torch(query, key, value, index_scores, k):
    chosen = all_keys_hidden(query, key, value, index_scores, k)[1]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=chosen), chosen


def chosen_as_numbers(query, key, value, index_scores, k):
    answer = checks.attend_to_chosen.exercise.reference(query, key, value, index_scores, k)
    return answer[0], answer[1].float()


ANSWERS = [
    ("page_rows", rows_alone, 0, None, ""),
    ("page_rows", whole_pool_in_order, None, "no_pages", "whole pages"),
    ("shared_pages", best_of_the_first, None, "first_only", "All earlier ones"),
    ("shared_pages", one_number, 0, None, "list of numbers"),
    ("shared_pages", pages_in_a_set, None, "page_alone", "whole beginning"),
    ("check_guesses", stand_with(in_a_row), 8, None, ""),
    ("check_guesses", stand_with(lambda fits: fits.sum(1)), None, "all_that_fit", "not there"),
    ("check_guesses", stand_with(in_a_row, lambda n, stand: n + stand), None,
     "read_token_forgotten", "too short"),
    ("check_guesses", as_floats, 7, "dtype", "torch.int64"),
    ("accept_or_draw", draws(lambda p, q: (p - q).relu()), 8, None, ""),
    ("accept_or_draw", draws(lambda p, q: p), None, "drawn_from_target", "has come already"),
    ("accept_or_draw", draws(lambda p, q: (p - q).abs()), None, "both_sides", "nothing is left"),
    ("accept_or_draw", by_chance, None, "answers_vary", "two different answers"),
    ("quantise", by_dimension(1), 6, None, ""),
    ("quantise", by_dimension(2), None, "by_token", "its own"),
    ("quantise", by_dimension(1, torch.trunc), None, "rounded_down", "nearest"),
    ("quantise", whole_numbers, 5, "dtype", "torch.int64"),
    ("attend_to_chosen", all_keys_hidden, None, "masked_only", "gather"),
    ("attend_to_chosen", chosen_by_the_library, 0, "forbidden", "course_lib's own"),
    ("attend_to_chosen", chosen_by_torch, 0, "forbidden", "yourself"),
    ("attend_to_chosen", chosen_as_numbers, 7, "dtype", "should be torch.bool"),
]  # fmt: skip
