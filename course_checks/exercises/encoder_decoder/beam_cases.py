"""Small distributions of the next token on which a beam search and its wrong versions differ."""

import torch

from course_checks.exercise import Case, randn

END = 0


class NextToken:
    """Log-probabilities (vocab,) of the next token, from the last two tokens and the length."""

    def __init__(self, table):
        self.table = table  # (vocab + 1, vocab + 1, lengths, vocab): the first two count from -1

    def __call__(self, tokens):
        if len(tokens) >= self.table.shape[2]:
            raise ValueError(
                f"next_log_probs was asked for a beginning of {len(tokens)} tokens. Do your "
                "beginnings grow in place? tokens + [token] makes a new list."
            )
        before, last = [-1, -1, *map(int, tokens)][-2:]
        return self.table[before + 1, last + 1, len(tokens)]


def next_token(generator, vocab_size, end_bias):
    """With a large ``end_bias`` sequences end soon."""
    bias = torch.zeros(vocab_size)
    bias[END] = end_bias
    pairs = 1.5 * randn(generator, vocab_size + 1, vocab_size + 1, 1, vocab_size) + bias
    logits = pairs + 0.5 * randn(generator, 8, vocab_size)
    return NextToken(logits.log_softmax(dim=-1))


def _total(pair):
    return pair[1]


def _mean(pair):
    return pair[1] / len(pair[0])


def _search(function, num_beams, most, aside=0, score=_total):
    """(tokens, sum) of each beginning that is left; those ``aside`` best that end take no room."""
    table, kept, ended = function.table.tolist(), [([], 0.0)], []
    for _ in range(most):
        grown = []
        for tokens, total in kept:
            if tokens[-1:] == [END]:
                grown.append((tokens, total))
                continue
            before, last = [-1, -1, *tokens][-2:]
            following = enumerate(table[before + 1][last + 1][len(tokens)])
            grown += [(tokens + [token], total + more) for token, more in following]
        grown.sort(key=score, reverse=True)
        if aside:
            ended += [pair for pair in grown[:aside] if pair[0][-1] == END]
            grown = [pair for pair in grown if pair[0][-1] != END]
        kept = grown[:num_beams]
    return sorted(ended + kept, key=score, reverse=True)


def _case(generator, num_beams, most, end_bias, is_wanted):
    """A function of which ``is_wanted(function, what is left, its best)`` holds."""
    while True:
        function = next_token(generator, 4, end_bias)
        left = _search(function, num_beams, most)
        if is_wanted(function, left, left[0][0]):
            break
    label = f"4 tokens, num_beams = {num_beams}, end = {END}, max_new_tokens = {most}"
    return Case((function, num_beams, END, most), label=label)


def _each_on_its_own(function, num_beams, most):
    """The best of the first ``num_beams`` tokens, each followed greedily."""
    table = function.table.tolist()
    starts = sorted(enumerate(table[0][0][0]), key=_total, reverse=True)[:num_beams]
    kept = []
    for first, total in starts:
        tokens = [first]
        while tokens[-1] != END and len(tokens) < most:
            before, last = [-1, *tokens][-2:]
            token, more = max(enumerate(table[before + 1][last + 1][len(tokens)]), key=_total)
            tokens, total = tokens + [token], total + more
        kept.append((tokens, total))
    return max(kept, key=_total)[0]


def greedy_fails(generator):
    """The best sequence does not end, and some other beginning is better than greedy's.

    In the longest two cases it is no beginning's greedy continuation either.
    """
    for most, num_beams in ((2, 2), (3, 2), (4, 3), (4, 2)):

        def is_wanted(function, left, best, most=most, num_beams=num_beams):
            if END in best or best == _search(function, 1, most)[0][0]:
                return False
            if most == 4 and best == _each_on_its_own(function, num_beams, most):
                return False
            return (most, num_beams) != (4, 2) or best != _search(function, None, most)[0][0]

        yield _case(generator, num_beams, most, -2.0, is_wanted)


def ended_compete(generator):
    def short_wins(function, left, best):
        if not (END in best and 1 < len(best) < len(left[-1][0])):
            return False
        by_mean = _search(function, 2, 3, score=_mean)
        return best != max(left, key=_mean)[0] and best != by_mean[0][0]

    def short_by_far(function, left, best):  # by its mean too
        if not (END in best and len(best) == 3 < max(len(tokens) for tokens, _ in left)):
            return False
        by_mean = _search(function, 2, 4, score=_mean)
        return best == max(left, key=_mean)[0] == by_mean[0][0]

    def long_wins(function, left, best):
        return len(best) > len(left[-1][0])

    def room_counts(function, left, best):
        return best != _search(function, 2, 4, aside=99)[0][0]

    def room_of_the_best_counts(function, left, best):
        return best != _search(function, 2, 4, aside=2)[0][0]

    kinds = [(short_wins, 3), (short_by_far, 4), (long_wins, 3), (long_wins, 4), (room_counts, 4)]
    kinds += [(room_of_the_best_counts, 4)]
    return [_case(generator, 2, most, 0.0, is_wanted) for is_wanted, most in kinds]


def extremes(generator):
    def any_will_do(function, left, best):
        return True

    return [_case(generator, n, most, -1.0, any_will_do) for n, most in ((1, 3), (6, 3), (1, 4))]
