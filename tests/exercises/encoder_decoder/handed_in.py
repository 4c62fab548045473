"""Answers to the exercises on encoder and decoder, of the kind that students hand in."""

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import causal_mask, padding_mask


def shifts_in_place(target, start):
    target[:, 1:] = target[:, :-1].clone()
    target[:, 0] = start
    return target


def start_for_floats(target, start):
    return torch.cat((torch.full((len(target), 1), float(start)), target[:, :-1]), dim=1)


def start_row_alone(target, start):
    return torch.cat((torch.tensor([start]), target[:, :-1]), dim=1)


def pads_without_value(target, start):
    return F.pad(target, (1, 0))[:, :-1]


def pads_on_the_right(target, start):
    return F.pad(target, (0, 1), value=start)[:, 1:]


def keeps_the_end(target, start):
    return F.pad(target, (1, 0), value=start)


def pads_over_rows(target, start):
    return F.pad(target[:-1], (0, 0, 1, 0), value=start)


def masks_with(make):
    """(source padding, target padding, causal) -> the three masks."""

    def three_masks(source_lengths, target_lengths, source_len, target_len):
        source = padding_mask(source_lengths, source_len)
        return make(source, padding_mask(target_lengths, target_len), causal_mask(target_len))

    return three_masks


def steps_without_mask(decode, prefix, memory, source_mask):
    return decode(prefix, memory)[0][:, -1].argmax(-1)[:, None]


def keeps_the_tuple(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[:, -1].argmax(dim=-1, keepdim=True)


def memory_first(decode, prefix, memory, source_mask):
    return decode(memory, prefix, source_mask)[0][:, -1].argmax(dim=-1, keepdim=True)


def draws(decode, prefix, memory, source_mask):
    chances = decode(prefix, memory, source_mask)[0][:, -1].div(10).softmax(dim=-1)
    return torch.multinomial(chances, 1)


def last_sentence(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[0][-1].argmax(dim=-1, keepdim=True)


def python_list(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[0][:, -1].argmax(dim=-1).tolist()


def greedy(step, cache, end, max_new_tokens):
    return checks.greedy_decode.exercise.reference(step, cache, end, max_new_tokens)


def whole_prefix(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), 1, dtype=torch.long)
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.cat([tokens, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return tokens[:, 1:]


def does_not_keep_the_cache(step, cache, end, max_new_tokens):
    tokens, ended, found = torch.zeros(len(cache)).long(), torch.zeros(len(cache)).bool(), []
    for _ in range(max_new_tokens):
        logits, _ = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended |= tokens == end
        found.append(tokens)
        if ended.all():
            break
    return torch.stack(found, dim=1)


def all_at_once(step, cache, end, max_new_tokens):
    tokens, found = torch.zeros(len(cache), dtype=torch.long), []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(dim=-1)
        found.append(tokens)
        if (tokens == end).all():
            break
    return torch.stack(found, dim=1)


def any_has_ended(step, cache, end, max_new_tokens):
    tokens, found = torch.zeros(len(cache), dtype=torch.long), []
    while len(found) < max_new_tokens:
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(dim=-1)
        found.append(tokens)
        if (tokens == end).any():
            break
    return torch.stack(found, dim=1)


def of_floats(step, cache, end, max_new_tokens):
    return greedy(step, cache, end, max_new_tokens).float()


def follows_the_best(next_log_probs, num_beams, end, max_new_tokens):
    tokens = []
    while len(tokens) < max_new_tokens and tokens[-1:] != [end]:
        tokens.append(next_log_probs(tokens).argmax().item())
    return tokens


def starts_num_beams_times(next_log_probs, num_beams, end, max_new_tokens):
    first = next_log_probs([])
    results = []
    for token in first.argsort(descending=True)[:num_beams].tolist():
        tokens, total = [token], first[token].item()
        while len(tokens) < max_new_tokens and tokens[-1] != end:
            log_probs = next_log_probs(tokens)
            total += log_probs.max().item()
            tokens.append(log_probs.argmax().item())
        results.append((total, tokens))
    return max(results)[1]


def ended_go_missing(next_log_probs, num_beams, end, max_new_tokens):
    beams = [(0.0, [])]
    for _ in range(max_new_tokens):
        new = []
        for total, tokens in beams:
            if tokens and tokens[-1] == end:
                continue
            for token, more in enumerate(next_log_probs(tokens)):
                new.append((total + more.item(), tokens + [token]))
        if not new:
            break
        beams = sorted(new)[::-1][:num_beams]
    return beams[0][1]


def with_its_score(next_log_probs, num_beams, end, max_new_tokens):
    args = next_log_probs, num_beams, end, max_new_tokens
    return checks.beam_search.exercise.reference(*args), 0.0


def names(records):
    return ["sound" for _ in records]


def gap_comes_first(records):
    answers = []
    for r in records:
        if r["twice"] > 1e-4:
            answers += [2]
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            answers += [1]
        elif r["forced"] - r["free"] > 0.2:
            answers += [5]
        elif r["later"] > 1e-4:
            answers += [3]
        else:
            answers += [4 if r["source"] < 1e-4 else 0]
    return answers


def dropout_is_forgotten(records):
    answers = []
    for r in records:
        if r["last_loss"] > 0.9 * r["first_loss"]:
            answers.append(1)
        elif r["later"] > 1e-4:
            answers.append(3)
        elif r["source"] < 1e-4:
            answers.append(4)
        else:
            answers.append(5 if r["forced"] - r["free"] > 0.2 else 0)
    return answers


def looks_at_free(records):
    answers = []
    for r in records:
        if r["twice"] > 1e-4:
            answers.append(2)
        elif r["last_loss"] > 0.9 * r["first_loss"]:
            answers.append(1)
        elif r["later"] > 1e-4:
            answers.append(3)
        elif r["source"] < 1e-4:
            answers.append(4)
        else:
            answers.append(5 if r["free"] < 0.8 else 0)
    return answers


ANSWERS = [
    ("shift_right", shifts_in_place, 4, "changes_input", "changes its input target in place"),
    ("shift_right", start_for_floats, 4, "dtype", "dtype torch.float32"),
    ("shift_right", start_row_alone, 0, None, "stopped with an error"),
    ("shift_right", pads_without_value, 0, "zero_in_front", "put start there"),
    ("shift_right", pads_on_the_right, 0, "shifted_left", "You shift left"),
    ("shift_right", keeps_the_end, 0, "last_kept", "longer by one"),
    ("shift_right", pads_over_rows, 0, "over_sentences", "along the positions"),
    ("shift_right", lambda target, start: target[:, 1:], 0, None, "(batch, length)"),
    (
        "three_masks",
        masks_with(lambda s, t, c: (s, t & c, s & c[: t.shape[-1]])),
        None,
        None,
        "stopped with an error",
    ),
    (
        "three_masks",
        masks_with(lambda s, t, c: (s, c, s)),
        None,
        "decoder_reads_padding",
        "Your decoder's mask hides the future and not the target's",
    ),
    (
        "three_masks",
        masks_with(lambda s, t, c: (s, t & c, t & c)),
        None,
        "cross_is_decoder_mask",
        "",
    ),
    ("three_masks", masks_with(lambda s, t, c: (s, t & c)), 0, None, "3 things"),
    (
        "three_masks",
        masks_with(lambda s, t, c: (~s, ~(t & c), ~s)),
        0,
        "inverted",
        "True means may",
    ),
    ("three_masks", masks_with(lambda s, t, c: (s, t & ~c, s)), None, None, "Your decoder"),
    ("three_masks", masks_with(lambda s, t, c: (s, t + c, s)), None, "decoder_either", "&"),
    ("three_masks", masks_with(lambda s, t, c: (s, t & t.mT & c, s)), 4, "decoder_queries_too", ""),
    (
        "three_masks",
        masks_with(lambda s, t, c: (s.int(), t.int() * c, s.int())),
        6,
        "dtype",
        "torch.bool",
    ),
    ("decoder_step", steps_without_mask, 4, "no_mask", "never gets source_mask"),
    ("decoder_step", keeps_the_tuple, 0, None, "unpack it"),
    ("decoder_step", memory_first, 0, None, "stopped with an error"),
    ("decoder_step", draws, 0, "answers_vary", "random numbers"),
    ("decoder_step", last_sentence, None, None, ""),
    ("decoder_step", python_list, 0, None, "a torch.Tensor"),
    ("greedy_decode", whole_prefix, 0, None, "step reads the newest tokens alone"),
    ("greedy_decode", does_not_keep_the_cache, None, "cache_forgotten", "take over the cache"),
    ("greedy_decode", all_at_once, None, "never_ends", "do not remember which sequences"),
    (
        "greedy_decode",
        any_has_ended,
        None,
        "stops_at_the_first_end",
        "You stop as soon as one sequence of the batch has ended.",
    ),
    ("greedy_decode", of_floats, None, "dtype", "torch.int64"),
    ("beam_search", follows_the_best, None, "greedy", "You follow the likeliest next token alone."),
    (
        "beam_search",
        starts_num_beams_times,
        None,
        "each_on_its_own",
        "Each of your beginnings goes on alone with its own best",
    ),
    (
        "beam_search",
        ended_go_missing,
        None,
        "ended_lost",
        "A beginning that has ended vanishes in the next round.",
    ),
    ("beam_search", with_its_score, 0, None, "a list of numbers"),
    ("broken_loops", names, 0, None, "a list of numbers"),
    ("broken_loops", gap_comes_first, None, "gap_first", "ask for those first"),
    ("broken_loops", dropout_is_forgotten, None, "twice_too_late", "ask too late"),
    ("broken_loops", looks_at_free, None, "free_alone", "You look at free alone."),
]
