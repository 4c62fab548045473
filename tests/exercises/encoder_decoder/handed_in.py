"""Answers to the exercises on encoder and decoder, of the kind that students hand in."""

import torch
import torch.nn.functional as F

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
    ("three_masks", masks_with(lambda s, t, c: (s, c, s)), None, "decoder_reads_padding", "two"),
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
    ("decoder_step", keeps_the_tuple, 0, None, "tuple"),
    ("decoder_step", memory_first, 0, None, "stopped with an error"),
    ("decoder_step", draws, 0, "varies", "random numbers"),
    ("decoder_step", last_sentence, None, None, ""),
    ("decoder_step", python_list, 0, None, "a torch.Tensor"),
]
