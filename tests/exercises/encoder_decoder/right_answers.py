"""Right answers to the exercises on encoder and decoder, written in other ways."""

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
