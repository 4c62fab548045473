"""Lesson 09, exercise 5: keep several beginnings, where the best next token leads astray."""

import inspect

from course_lib.checks.encoder_decoder.beam_cases import ended_compete, extremes, greedy_fails
from course_lib.checks.exercise import Exercise, Property
from course_lib.model import beams


def beam_search(next_log_probs, num_beams, end, max_new_tokens):
    kept = [([], 0.0)]  # beginnings with the sums of their log-probabilities
    for _ in range(max_new_tokens):
        grown = []
        for tokens, total in kept:
            if tokens[-1:] == [end]:
                grown.append((tokens, total))
                continue
            log_probs = next_log_probs(tokens).tolist()
            grown += [(tokens + [token], total + more) for token, more in enumerate(log_probs)]
        kept = sorted(grown, key=lambda pair: pair[1], reverse=True)[:num_beams]
    return kept[0][0]


MISTAKES = """
greedy: [:num_beams] -> [:1]
    You follow the likeliest next token alone, whatever num_beams is. Keep the num_beams best
    beginnings after each token.
newest_only: _beam_search_with(add=lambda total, more, length: more)
or: _beam_search_with(add=lambda total, more, length: more, keep=_best_pairs)
    You compare beginnings by their newest token alone. The score is the sum of the
    log-probabilities of all tokens.
each_on_its_own: _parallel
    Each of your beginnings goes on with its own best token. Then a good one never takes the room of
    a bad one: put the continuations of all in one list and keep the best.
nothing_dropped: [:num_beams] ->
    You keep all beginnings, not the num_beams best. That finds the best sequence of all, and takes
    vocab_size times as long with every token.
goes_on_behind_the_end: tokens[-1:] == [end] -> False
    You let a beginning grow that has ended. Behind the end token nothing follows: keep it as it is.
ended_lost: _beam_search_with(when_ended=lambda pair: [])
    A beginning that has ended vanishes in the next round, because nothing continues it. Put it, as
    it is, among those that you choose from.
stops_at_the_first_end: _beam_search_with(may_stop=lambda kept, end: \
        any((pair[0][-1] == end for pair in kept)))
    You stop as soon as one of the kept beginnings has ended, and return the best one. Another may
    still become better than it: go on.
ended_aside: _aside
    You put ended beginnings aside, and others take their room. Many libraries do, but here they
    stay among the num_beams and compete with the rest.
mean: _beam_search_with(keep=_by_mean)
or: _beam_search_with(result=_mean_at_the_end)
    You compare beginnings by the mean of their log-probabilities: you divide by the length. That
    prefers long sequences; here the plain sum counts.
worst_kept: , reverse=True ->
    You keep the beginnings with the smallest sums. Log-probabilities are negative, and nearer to 0
    is likelier: sort the other way round.
last_returned: kept[0][0] -> kept[-1][0]
    You return the worst of the beginnings that are left. The best one has the largest sum.
longest_returned: kept[0][0] -> max(kept, key=lambda pair: len(pair[0]))[0]
    You return the longest of the beginnings that are left. A short one may be likelier: take the
    largest sum.
end_cut: _beam_search_with(result=_without_end)
    You leave the end token out of the answer. It was written like any other: keep it.
one_step_short: range(max_new_tokens) -> range(max_new_tokens - 1)
    You make one step less than max_new_tokens.
multiplied: _beam_search_with(add=lambda total, more, length: total * more, first=1.0)
    You multiply log-probabilities. Probabilities are multiplied; their logarithms are added.
ended_preferred: _beam_search_with(result=_first_ended)
    You return a beginning that has ended where there is one. Another may have the larger sum,
    though it has no end: the sum alone decides.
first_ended_returned: _beam_search_with(may_stop=lambda kept, end: \
        any((pair[0][-1] == end for pair in kept)), result=_first_ended)
    You return the first beginning that ends, as soon as it does. Another may be better, or become
    better than it: make all rounds, and take the largest sum.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _all_next(next_log_probs, tokens, total, add):
    log_probs = next_log_probs(tokens).tolist()
    return [
        (tokens + [token], add(total, more, len(tokens))) for token, more in enumerate(log_probs)
    ]


def _best(pairs, count):
    return sorted(pairs, key=lambda pair: pair[1], reverse=True)[:count]


def _best_pairs(grown, count):
    """Of equal scores, the larger tokens first: as pairs (score, tokens) are sorted."""
    return sorted(grown, key=lambda pair: pair[::-1], reverse=True)[:count]


def _beam_search_with(
    add=lambda total, more, length: total + more,
    beam_count=lambda num_beams: num_beams,
    keep=_best,
    goes_on=lambda tokens, end: tokens[-1:] != [end],
    when_ended=lambda pair: [pair],
    may_stop=lambda kept, end: False,
    steps=lambda most: most,
    first=0.0,
    result=lambda kept, end: kept[0][0],
):
    """A version that differs in one of its parts."""

    def version(next_log_probs, num_beams, end, max_new_tokens):
        kept = [([], first)]
        for _ in range(steps(max_new_tokens)):
            grown = []
            for tokens, total in kept:
                if goes_on(tokens, end):
                    grown += _all_next(next_log_probs, tokens, total, add)
                else:
                    grown += when_ended((tokens, total))
            if not grown:
                break
            kept = keep(grown, beam_count(num_beams))
            if may_stop(kept, end):
                break
        return result(kept, end)

    return version


def _plain(total, more, length):
    return total + more


def _first_ended(kept, end):
    return next((tokens for tokens, _ in kept if tokens[-1] == end), kept[0][0])


def _parallel(next_log_probs, num_beams, end, max_new_tokens):
    """Each beginning goes on greedily by itself."""
    kept = _best(_all_next(next_log_probs, [], 0.0, _plain), num_beams)
    for _ in range(max_new_tokens - 1):
        kept = [
            pair if pair[0][-1] == end else _best(_all_next(next_log_probs, *pair, _plain), 1)[0]
            for pair in kept
        ]
    return _best(kept, 1)[0][0]


def _aside(next_log_probs, num_beams, end, max_new_tokens):
    """Ended ones leave the beams, and others take their room."""
    kept, ended = [([], 0.0)], []
    for _ in range(max_new_tokens):
        grown = [
            pair
            for tokens, total in kept
            for pair in _all_next(next_log_probs, tokens, total, _plain)
        ]
        ended += [pair for pair in grown if pair[0][-1] == end]
        kept = _best([pair for pair in grown if pair[0][-1] != end], num_beams)
    return _best(ended + kept, 1)[0][0]


def _mean_at_the_end(kept, end):
    return max(kept, key=lambda pair: pair[1] / len(pair[0]))[0]


def _by_mean(grown, count):
    return sorted(grown, key=lambda pair: pair[1] / len(pair[0]), reverse=True)[:count]


def _without_end(kept, end):
    return [token for token in kept[0][0] if token != end]


EXERCISE = Exercise(
    lesson="09",
    number=5,
    reference=beam_search,
    returns={"tokens": "a list of whole numbers"},
    kind="numbers",
    library=(inspect.unwrap(beams.beam_search),),
    properties=(
        Property("it finds a likelier sequence than greedy decoding", 2, greedy_fails),
        Property(
            "beginnings that have ended stay and compete with those that grow", 2, ended_compete
        ),
        Property(
            "one beam is greedy decoding, and there may be more beams than tokens", 1, extremes
        ),
    ),
    mistakes=MISTAKES,
)
