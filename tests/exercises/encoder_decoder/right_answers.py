"""Right answers to the exercises on encoder and decoder, written in other ways."""

import heapq
import math

import torch
import torch.nn.functional as F

from course_lib import causal_mask, combine_masks, padding_mask


def shift_right_padded(target, start):
    return F.pad(target[:, :-1], (1, 0), value=start)


def shift_right_joined(target, start):
    begin = torch.full((len(target), 1), start, dtype=target.dtype)
    return torch.cat((begin, target[:, :-1]), dim=1)


def shift_right_loop(target, start):
    rows = [[start, *row[:-1]] for row in target.tolist()]
    return torch.tensor(rows, dtype=target.dtype)


def shift_right_from_the_end(target, start):
    """In one tensor, but from right to left."""
    read = target.clone()
    for i in range(read.shape[1] - 1, 0, -1):
        read[:, i] = read[:, i - 1]
    read[:, 0] = start
    return read


def shift_right_flat(target, start):
    """Rolled as one long row: what is wrong in it is what start replaces."""
    read = target.flatten().roll(1).reshape(target.shape)
    read[:, 0] = start
    return read


def three_masks_course(source_lengths, target_lengths, source_len, target_len):
    source = padding_mask(source_lengths, source_len)
    own = combine_masks(padding_mask(target_lengths, target_len), causal_mask(target_len))
    return source, own, source.clone()


def three_masks_loop(source_lengths, target_lengths, source_len, target_len):
    batch = len(source_lengths)
    source = torch.zeros(batch, 1, 1, source_len, dtype=torch.bool)
    target = torch.zeros(batch, 1, target_len, target_len, dtype=torch.bool)
    for b in range(batch):
        source[b, ..., : source_lengths[b]] = True
        for i in range(target_len):
            target[b, 0, i, : min(i + 1, int(target_lengths[b]))] = True
    return [source, target, source]


def three_masks_compared(source_lengths, target_lengths, source_len, target_len):
    key = torch.arange(target_len)
    source = torch.arange(source_len).expand(len(source_lengths), 1, 1, -1)
    source = source < source_lengths.reshape(-1, 1, 1, 1)
    last = torch.minimum(key[:, None] + 1, target_lengths.reshape(-1, 1, 1, 1))
    return source, key < last, source


def decoder_step_log_probs(decode, prefix, memory, source_mask):
    log_probs = decode(prefix, memory, source_mask)[0].log_softmax(dim=-1)
    return log_probs[:, -1:].argmax(dim=-1)


def decoder_step_topk(decode, prefix, memory, source_mask):
    logits = decode(prefix, memory, source_mask)[0][:, prefix.shape[1] - 1]
    return logits.topk(1).indices


def decoder_step_sentences(decode, prefix, memory, source_mask):
    """Each sentence by itself, without its padding."""
    tokens = []
    for b in range(len(prefix)):
        real = source_mask[b, 0, 0]
        logits, *_ = decode(
            prefix[b : b + 1], memory[b : b + 1, real], real[None, None, None, real]
        )
        tokens.append([max(range(logits.shape[-1]), key=logits[0, -1].tolist().__getitem__)])
    return torch.tensor(tokens)


def greedy_decode_filled(step, cache, end, max_new_tokens):
    """A table of zeros is filled column by column, and cut at the longest sequence."""
    table = torch.zeros(len(cache), max_new_tokens + 1, dtype=torch.long)
    alive = torch.ones(len(cache), dtype=torch.bool)
    for column in range(1, max_new_tokens + 1):
        logits, cache = step(table[:, column - 1], cache)
        table[alive, column] = logits[alive].argmax(dim=1)
        alive = alive & (table[:, column] != end)
        if not alive.any():
            break
    return table[:, 1 : column + 1]


def greedy_decode_masked_at_the_end(step, cache, end, max_new_tokens):
    """Ended sequences run on; what they write is wiped out afterwards."""
    tokens, columns = torch.zeros(cache.shape[0], dtype=torch.int64), []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.topk(1).indices[:, 0]
        columns.append(tokens)
        found = torch.stack(columns, 1) == end
        if found.any(dim=1).all():
            break
    ends_before = found.long().cumsum(dim=1) - found.long()
    return torch.stack(columns, 1) * (ends_before == 0)


def beam_search_heap(next_log_probs, num_beams, end, max_new_tokens):
    kept = [(0.0, ())]
    for _ in range(max_new_tokens):
        done = [pair for pair in kept if end in pair[1]]
        grown = [
            (total + more.item(), (*tokens, token))
            for total, tokens in kept
            if end not in tokens
            for token, more in enumerate(next_log_probs(list(tokens)))
        ]
        kept = heapq.nlargest(num_beams, done + grown)
        if all(end in tokens for _, tokens in kept):
            break
    return list(max(kept)[1])


def beam_search_topk(next_log_probs, num_beams, end, max_new_tokens):
    """Of each beginning only its num_beams best continuations: others cannot be kept."""
    beams = [{"tokens": [], "cost": 0.0}]
    for _ in range(max_new_tokens):
        new = [beam for beam in beams if beam["tokens"] and beam["tokens"][-1] == end]
        for beam in beams:
            if beam in new:
                continue
            log_probs = next_log_probs(beam["tokens"])
            best = log_probs.topk(min(num_beams, len(log_probs)))
            for value, index in zip(best.values, best.indices, strict=True):
                tokens = [*beam["tokens"], int(index)]
                new.append({"tokens": tokens, "cost": beam["cost"] - float(value)})
        new.sort(key=lambda beam: beam["cost"])
        beams = new[:num_beams]
    return torch.tensor(beams[0]["tokens"])


def broken_loops_by_rules(records):
    def fault(r):
        if abs(r["twice"]) >= 1e-4:
            return 2
        if r["last_loss"] / r["first_loss"] >= 0.9:
            return 1
        if not math.isclose(r["later"], 0, abs_tol=1e-4):
            return 3
        if math.isclose(r["source"], 0, abs_tol=1e-4):
            return 4
        return 5 if r["forced"] > r["free"] + 0.2 else 0

    return list(map(fault, records))


def broken_loops_overwrites(records):
    """From the weakest reason to the strongest, each of which overwrites those before."""
    answers = []
    for row in records:
        number = 5 * (row["forced"] - row["free"] > 0.2)
        if row["source"] <= 1e-4:
            number = 4
        if row["later"] >= 1e-4:
            number = 3
        if row["first_loss"] - row["last_loss"] < row["first_loss"] / 10:
            number = 1
        if row["twice"] >= 1e-4:
            number = 2
        answers.append(number)
    return torch.tensor(answers)
