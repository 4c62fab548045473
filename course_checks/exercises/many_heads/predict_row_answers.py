"""Answers to predict_row (lesson 03, exercise 6), right and wrong, as students write them."""

import numpy as np
import torch

import course_checks as checks


# right
def numpy(head_counts, num_pointers, vocab_size):
    missing = np.maximum(num_pointers - np.array(head_counts), 0)
    return 1 - missing * (1 - 1 / vocab_size) / num_pointers


# right
def by_torch(head_counts, num_pointers, vocab_size):
    tokens = torch.arange(num_pointers)
    fetched = tokens < torch.tensor(head_counts)[:, None]
    return torch.where(fetched, 1.0, 1 / vocab_size).mean(dim=-1)


# wrong: gives the probability that all symbols are right
# named: all_or_nothing
def all_right(head_counts, num_pointers, vocab_size):
    return [(1 / vocab_size) ** max(num_pointers - h, 0) for h in head_counts]


# wrong: caps the share at 1, but counts guesses of too many heads before
# named: guess_on_top
def capped_at_one(head_counts, num_pointers, vocab_size):
    return [min(1.0, h / num_pointers + 1 / vocab_size) for h in head_counts]


# wrong: cuts the caller's list of head counts
# named: changes_input
# points: 5
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


# wrong: returns percent
# named: percent
def percent(head_counts, num_pointers, vocab_size):
    fetched = [min(h, num_pointers) for h in head_counts]
    return [100 * (f + (num_pointers - f) / vocab_size) / num_pointers for f in fetched]


# wrong: sorts the head counts first
# named: head_counts_sorted
def sorted_counts(head_counts, num_pointers, vocab_size):
    row = []
    for h in sorted(head_counts):
        f = min(h, num_pointers)
        row.append((f + (num_pointers - f) / vocab_size) / num_pointers)
    return row


# wrong: rounds to the percent
# points: 2
# says: do not round
def to_the_percent(head_counts, num_pointers, vocab_size):
    right = checks.predict_row.exercise.reference(head_counts, num_pointers, vocab_size)
    return [round(accuracy, 2) for accuracy in right]


# wrong: returns the accuracy of the first head alone
# says: It returned a float
def of_the_first_head(counts, k, v):
    return counts[0] / k


# other inputs
def other_inputs(generator):
    yield from (([1, 3, 2], 2, 5), ([4, 1], 7, 3), ([2, 6, 9], 5, 12))
