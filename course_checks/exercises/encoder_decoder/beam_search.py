"""Lesson 09, exercise 5: keep several beginnings, where the best next token leads astray."""

import inspect

from course_checks.exercise import Exercise, Property
from course_checks.exercises.encoder_decoder.beam_cases import ended_compete, extremes, greedy_fails
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
    You follow the likeliest next token alone. Keep the num_beams best beginnings after each token.
newest_only: total + more -> more
or: total + more -> more && pair: pair[1] -> pair: pair[::-1]
    You compare beginnings by their newest token. Their score is the sum of all log-probabilities.
each_on_its_own: grown += [ -> each = [ && enumerate(log_probs)] -> enumerate(log_probs)]; grown \
        += [max(each, key=lambda pair: pair[1])] if tokens else each
    Each of your beginnings goes on alone with its own best token. Put the continuations of all in
    one list and keep the best.
nothing_dropped: [:num_beams] ->
    You keep all beginnings, not the num_beams best. That finds the best sequence of all, and takes
    vocab_size times as long with every token.
goes_on_behind_the_end: tokens[-1:] == [end] -> False
or: tokens[-1:] == [end] -> False && return kept[0][0] -> \
        return kept[0][0][: (kept[0][0] + [end]).index(end) + 1]
    You let a beginning grow that has ended. Behind the end token nothing follows: keep it as it is.
ended_lost: grown.append((tokens, total)) -> pass && [:num_beams] -> [:num_beams] or kept
    A beginning that has ended vanishes in the next round. Keep it among those you choose from.
stops_at_the_first_end: for _ in range(max_new_tokens): -> while all(t[-1:] != [end] and len(t) < \
        max_new_tokens for t, _ in kept):
or: for _ in range(max_new_tokens): -> while all(t[-1:] != [end] and len(t) < max_new_tokens for \
        t, _ in kept): && return kept[0][0] -> return next((t for t, _ in kept if t[-1] == end), \
        kept[0][0])
    You stop as soon as one of the kept beginnings has ended. Another may still become better: go
    on.
ended_aside: [:num_beams] -> ; kept = [pair for pair in kept if pair[0][-1] != end][:num_beams] + \
        [pair for pair in kept if pair[0][-1] == end] && return kept[0][0] -> return max(kept, \
        key=lambda pair: pair[1])[0]
or: kept = [([], 0.0)] -> ended, kept = [], [([], 0.0)] && [:num_beams] -> ; ended += [pair for \
        pair in kept[:num_beams] if pair[0][-1] == end]; kept = [pair for pair in kept if \
        pair[0][-1] != end][:num_beams] && return kept[0][0] -> return max(ended + kept, \
        key=lambda pair: pair[1])[0]
    You put ended beginnings aside, and others take their room. Many libraries do, but here they
    stay among the num_beams and compete with the rest.
mean: pair[1] -> pair[1] / len(pair[0])
or: return kept[0][0] -> return max(kept, key=lambda pair: pair[1] / len(pair[0]))[0]
    You compare beginnings by the mean of their log-probabilities. Here the plain sum counts.
worst_kept: , reverse=True ->
    You keep the smallest sums. Nearer to 0 is likelier: sort the other way round.
last_returned: kept[0][0] -> kept[-1][0] || max(kept, key=lambda pair: len(pair[0]))[0]
    You return another than the best of the beginnings that are left. Take the largest sum.
end_cut: return kept[0][0] -> return [token for token in kept[0][0] if token != end]
    You leave the end token out of the answer. It was written like any other: keep it.
one_step_short: range(max_new_tokens) -> range(max_new_tokens - 1)
    You make one step less than max_new_tokens.
probabilities_added: next_log_probs(tokens).tolist() -> next_log_probs(tokens).exp().tolist()
    You add up probabilities. They are multiplied; it is their logarithms that are added.
multiplied: total + more -> total * more && 0.0 -> 1.0
    You multiply log-probabilities. Probabilities are multiplied; their logarithms are added.
ended_preferred: return kept[0][0] -> return next((t for t, _ in kept if t[-1] == end), kept[0][0])
    You return a beginning that has ended where there is one. The sum alone decides.
"""

EXERCISE = Exercise(
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
