"""Answers to predict_row (lesson 03, exercise 6), right and wrong, as students write them."""

from fractions import Fraction

import numpy as np
import torch


# wrong: returns a dictionary from head count to share
# named: dictionary
def a_dictionary(head_counts, num_pointers, vocab_size):
    row = {}
    for h in head_counts:
        f = min(h, num_pointers)
        row[h] = (f + (num_pointers - f) / vocab_size) / num_pointers
    return row


# wrong: gives the probability that all symbols are right
# named: all_or_nothing
def all_right(head_counts, num_pointers, vocab_size):
    return [(1 / vocab_size) ** max(num_pointers - h, 0) for h in head_counts]


# wrong: caps the share at 1, but counts guesses of too many heads before
# named: guess_on_top
def capped_at_one(head_counts, num_pointers, vocab_size):
    return [min(1.0, h / num_pointers + 1 / vocab_size) for h in head_counts]


# right
def complement(head_counts, num_pointers, vocab_size):
    miss = 1 - 1 / vocab_size
    return [1 - miss * max(num_pointers - h, 0) / num_pointers for h in head_counts]


# wrong: cuts the caller's list of head counts
# named: changes_input
def counts_changed(head_counts, num_pointers, vocab_size):
    for i in range(len(head_counts)):
        head_counts[i] = min(head_counts[i], num_pointers)
    return [(f + (num_pointers - f) / vocab_size) / num_pointers for f in head_counts]


# wrong: returns a dictionary from head count to accuracy instead of a list
# named: dictionary
def dictionary(head_counts, num_pointers, vocab_size):
    return {
        h: (min(h, num_pointers) + max(num_pointers - h, 0) / vocab_size) / num_pointers
        for h in head_counts
    }


# wrong: a head that finds nothing left guesses too, so guesses count for the spare heads
# named: spare_heads_guess
def every_head_guesses(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        row.append((f + abs(h - num_pointers) / vocab_size) / num_pointers)
    return row


# wrong: h / k, with neither guesses nor a border
# named: heads_over_pointers
def fetched_only_and_above_one(head_counts, num_pointers, vocab_size):
    return [h / num_pointers for h in head_counts]


# wrong: returns inside the loop
# named: first_only
def first_count_only(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
        return row
    return row


# wrong: divides with //, so that the guesses vanish
# named: whole_numbers
def floor_division(head_counts, num_pointers, vocab_size):
    out = []
    for h in head_counts:
        fetched = min(h, num_pointers)
        left = num_pointers - fetched
        out.append((fetched + left // vocab_size) / num_pointers)
    return out


# right
def fractions(head_counts, num_pointers, vocab_size):
    share = lambda h: Fraction(
        sum(1 if j < h else Fraction(1, vocab_size) for j in range(num_pointers)), num_pointers
    )
    return [float(share(h)) for h in head_counts]


# wrong: adds 1 / vocab_size to every share, whether anything is left to guess or not
# named: guess_on_top
def guess_added_to_all(head_counts, num_pointers, vocab_size):
    return [min(h, num_pointers) / num_pointers + 1 / vocab_size for h in head_counts]


# wrong: guesses among the symbols that no head has fetched
# named: guess_among_the_rest
def guess_among_the_rest(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        rest = max(vocab_size - f, 1)
        row.append((f + (num_pointers - f) / rest) / num_pointers)
    return row


# wrong: counts one lucky guess for all leftover symbols together
# named: one_guess
def guess_once_for_all(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        guess = 1 / vocab_size if f < num_pointers else 0
        row.append((f + guess) / num_pointers)
    return row


# wrong: a guess is right once in num_pointers instead of once in vocab_size
# named: guess_among_pointers
def guess_one_in_k(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        fetched = min(h, num_pointers)
        row.append((fetched + (num_pointers - fetched) / num_pointers) / num_pointers)
    return row


# wrong: guesses among vocab_size minus the fetched symbols, not among all
# named: guess_among_the_rest
def guess_without(head_counts, num_pointers, vocab_size):
    out = []
    for h in head_counts:
        f = min(h, num_pointers)
        out.append((f + (num_pointers - f) / max(1, vocab_size - f)) / num_pointers)
    return out


# wrong: leaves out the lucky guesses
# named: no_guess
def guesses_forgotten(head_counts, num_pointers, vocab_size):
    return [min(h, num_pointers) / num_pointers for h in head_counts]


# wrong: // cuts the shares to whole numbers
# named: whole_numbers
def integer_division(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = min(h, num_pointers)
        row.append((f + (num_pointers - f) // vocab_size) // num_pointers)
    return row


# wrong: treats the left-over symbols as guessed together, (1/V) ** left, and counts 'all right'
# named: all_or_nothing
def joint_guess(head_counts, num_pointers, vocab_size):
    return [(1 / vocab_size) ** max(0, num_pointers - h) for h in head_counts]


# wrong: max where min is meant
# named: max_for_min
def max_for_min(head_counts, num_pointers, vocab_size):
    row = []
    for h in head_counts:
        f = max(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
    return row


# wrong: does not stop at the number of pointers, so the share goes above 1
# named: more_than_all
def more_heads_than_pointers(head_counts, num_pointers, vocab_size):
    return [(h + (num_pointers - h) / vocab_size) / num_pointers for h in head_counts]


# wrong: more heads than pointers give an accuracy above 1 (no minimum)
# named: more_than_all
def no_min(head_counts, num_pointers, vocab_size):
    k = num_pointers
    return [(h + (k - h) / vocab_size) / k for h in head_counts]


# wrong: the number of right symbols, not divided by k
# named: not_divided
def number_of_symbols(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [f + (num_pointers - f) / vocab_size for f in fetched]


# wrong: 4 pointers and 16 symbols are written into the code
# named: numbers_of_the_example
def numbers_of_the_example(head_counts, num_pointers, vocab_size):
    return [(min(h, 4) + (4 - min(h, 4)) / 16) / 4 for h in head_counts]


# wrong: counts one lucky guess, however many symbols are left over
# named: one_guess
def one_guess(head_counts, num_pointers, vocab_size):
    return [min(1.0, (min(h, num_pointers) + 1 / vocab_size) / num_pointers) for h in head_counts]


# wrong: writes the results over the caller's list of head counts
# named: changes_input
def overwrites_list(head_counts, num_pointers, vocab_size):
    for i, h in enumerate(head_counts):
        f = min(h, num_pointers)
        head_counts[i] = (f + (num_pointers - f) / vocab_size) / num_pointers
    return head_counts


# wrong: returns percent
# named: percent
def percent(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [100 * (f + (num_pointers - f) / vocab_size) / num_pointers for f in fetched]


# wrong: predicts for 1 up to the largest count instead of for the given ones
def range_of_heads(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in range(1, max(head_counts) + 1)]
    return [(f + (num_pointers - f) / vocab_size) / num_pointers for f in fetched]


# right
def right_fractions(head_counts, num_pointers, vocab_size):
    row = []
    for heads in head_counts:
        left = max(num_pointers - heads, 0)
        lost = Fraction(left, num_pointers) * Fraction(vocab_size - 1, vocab_size)
        row.append(float(1 - lost))
    return row


# right
def right_numpy(head_counts, num_pointers, vocab_size):
    share = np.minimum(np.array(head_counts), num_pointers) / num_pointers
    return (share + (1 - share) / vocab_size).tolist()


# right
def right_symbol_by_symbol(head_counts, num_pointers, vocab_size):
    def chance(symbol, heads):
        return 1.0 if symbol < heads else 1 / vocab_size

    return [
        sum(chance(s, heads) for s in range(num_pointers)) / num_pointers for heads in head_counts
    ]


# right
def right_torch(head_counts, num_pointers, vocab_size):
    h = torch.tensor(head_counts, dtype=torch.float64).clamp(max=num_pointers)
    return ((h * (vocab_size - 1) + num_pointers) / (vocab_size * num_pointers)).tolist()


# wrong: rounds to two digits
def rounded(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [round((f + (num_pointers - f) / vocab_size) / num_pointers, 2) for f in fetched]


# wrong: sorts the head counts first
# named: head_counts_sorted
def sorted_counts(head_counts, num_pointers, vocab_size):
    row = []
    for h in sorted(head_counts):
        f = min(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
    return row
