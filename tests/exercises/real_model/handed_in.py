"""Answers to the exercises on a real language model, of the kind that students hand in."""

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib.study.ablation import others_like
from course_lib.study.heads import previous_token_score


def torchs_own_rms(x, weight, eps):
    return F.rms_norm(x, weight.shape, weight, eps)


def torchs_own_module(x, weight, eps):
    norm = torch.nn.RMSNorm(x.shape[-1], eps=eps, dtype=x.dtype)
    return norm(x) * weight


def unit_length(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * weight


def squares_without_keepdim(x, weight, eps):
    return x / torch.sqrt((x * x).mean(-1) + eps) * weight


def gemmas(x, weight, eps):
    return x * torch.rsqrt((x * x).mean(-1, True) + eps) * (weight + 1)


def divided_in_place(x, weight, eps):
    x /= (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return x * weight


def always_float32(x, weight, eps):
    x = x.float()
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight.float()


def up_is_the_gate(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, up)) * F.linear(x, gate), down)


def glu_of_torch(x, gate, up, down):
    return F.glu(torch.cat((x @ up.T, x @ gate.T), dim=-1), dim=-1) @ down.T


def without_a_transpose(x, gate, up, down):
    return (F.silu(x @ gate) * (x @ up)) @ down


def fresh_maps(x, gate, up, down):
    to_gate, to_up = torch.nn.Linear(*gate.T.shape), torch.nn.Linear(*up.T.shape)
    return torch.nn.Linear(*down.T.shape)(F.silu(to_gate(x)) * to_up(x))


def repeated_like_tiles(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    own = slice(head * size, (head + 1) * size)
    group = num_heads // num_kv_heads
    return w_q[own], w_k.repeat(group, 1)[own], w_v.repeat(group, 1)[own]


def same_slice_of_all(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    own = slice(head * size, (head + 1) * size)
    return w_q[own], w_k[own], w_v[own]


def chunks_of_all(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    return tuple(w.chunk(num_heads)[head] for w in (w_q, w_k, w_v))


def without_the_value(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    return w_q[head * size : (head + 1) * size], w_k[:size]


def back_to_neighbours(weight, num_heads):
    parts = weight.reshape(num_heads, 2, -1, weight.shape[-1])
    return parts.transpose(1, 2).reshape(weight.shape)


def no_heads(weight, num_heads):
    return torch.cat((weight[::2], weight[1::2]))


def writes_into_weight(weight, num_heads):
    for head in weight.view(num_heads, -1, weight.shape[1]):
        head.copy_(torch.cat((head[::2], head[1::2])))
    return weight


def sixty_four_rows(weight, num_heads):
    heads = [weight[64 * i : 64 * (i + 1)] for i in range(num_heads)]
    return torch.cat([part for head in heads for part in (head[::2], head[1::2])])


def sampled_at_zero_logits(logits, temperature, top_k):
    scaled = logits / temperature
    if top_k is not None:
        scaled[scaled < torch.topk(scaled, top_k, dim=-1).values[..., -1:]] = 0
    return torch.softmax(scaled, dim=-1)


def top_k_without_none(logits, temperature, top_k):
    least = torch.topk(logits, top_k, dim=-1).values[..., -1:]
    return torch.softmax(logits.masked_fill(logits < least, -torch.inf) / temperature, dim=-1)


def warms_in_place(logits, temperature, top_k):
    logits /= temperature
    return checks.next_token_probs.exercise.reference(logits, 1.0, top_k)


def averages_of_texts(maps):
    scores = torch.stack([text.diagonal(-1, 2, 3).mean(-1) for text in maps]).mean(0)
    place = int(scores.argmax())
    return place // scores.shape[1], place % scores.shape[1], scores.max().item()


def librarys_own_score(maps):
    scores = [torch.stack([previous_token_score(layer[None]) for layer in text]) for text in maps]
    return 0, 0, scores[0].max().item()


def forgets_the_layer(maps):
    score = torch.cat([text.diagonal(-1, 2, 3) for text in maps], dim=-1).mean(-1)
    return score.argmax().item(), score.max().item()


def empties_the_lot(chosen, order):
    control = []
    for head in chosen:
        order.remove(head)
    for layer, _ in chosen:
        free = [head for head in order if head[0] == layer]
        if free:
            order.remove(free[0])
            control.append(free[0])
    return control


def set_of_heads(chosen, order):
    return set(checks.matched_control.exercise.reference(chosen, order))


def numbers_alone(chosen, order):
    return [head for _, head in checks.matched_control.exercise.reference(chosen, order)]


def own_lot(chosen, order):
    order = [order[i] for i in torch.randperm(len(order))]
    return checks.matched_control.exercise.reference(chosen, order)


def librarys_own_control(chosen, order):
    return others_like(chosen, [head for head in order if head not in chosen], 0)


def _claim(**changes):
    return lambda: checks.head_claim.exercise.reference() | changes


def without_a_control():
    claim = checks.head_claim.exercise.reference()
    return {key: entry for key, entry in claim.items() if key != "control"}


def _divides_by_nothing(weights, pieces):
    return sum([]) / len([])


ANSWERS = [
    ("rms_norm", torchs_own_rms, 0, "forbidden", "own norm is closed here"),
    ("rms_norm", torchs_own_module, 0, "forbidden", "own norm is closed here"),
    ("rms_norm", unit_length, 0, "sum_of_squares", "the root of their mean"),
    ("rms_norm", squares_without_keepdim, 0, "no_keepdim", "leaves an axis of size 1"),
    ("rms_norm", gemmas, 0, "one_plus_weight", "as Gemma does"),
    ("rms_norm", divided_in_place, 5, "changes_input", "x -= 1 does not"),
    ("rms_norm", always_float32, 6, "dtype", "should keep it"),
    ("swiglu", up_is_the_gate, 0, "gate_up_exchanged", "You apply SiLU to x @ up.T."),
    ("swiglu", glu_of_torch, 0, "sigmoid", "Your gate is a sigmoid, that of the GLU of 2016."),
    ("swiglu", without_a_transpose, 0, "not_transposed", "(out_features, in_features)"),
    ("swiglu", fresh_maps, 0, "answers_vary", "two different answers"),
    ("parts_of_head", repeated_like_tiles, 3, "dealt_like_cards", "like cards"),
    (
        "parts_of_head",
        same_slice_of_all,
        2,
        "own_number",
        "You look for the keys under a query head's own number.",
    ),
    ("parts_of_head", chunks_of_all, 0, None, "Was it forgotten"),
    ("parts_of_head", without_the_value, 0, None, "should return 3 things"),
    ("neighbours_to_halves", back_to_neighbours, 0, "other_direction", "the other way"),
    ("neighbours_to_halves", no_heads, 2, "whole_matrix", "Sort within each head"),
    ("neighbours_to_halves", writes_into_weight, 5, "changes_input", "in place"),
    ("neighbours_to_halves", sixty_four_rows, 2, "sixty_four_rows", "as SmolLM2 has"),
    ("next_token_probs", sampled_at_zero_logits, 3, "zero_logits", "minus infinity"),
    ("next_token_probs", top_k_without_none, None, None, "not NoneType"),
    ("next_token_probs", warms_in_place, 5, "changes_input", "x -= 1 does not"),
    ("previous_token_head", averages_of_texts, 4, "mean_of_means", "of all texts together"),
    ("previous_token_head", librarys_own_score, 0, "forbidden", "the very thing"),
    ("previous_token_head", forgets_the_layer, 0, "index_not_split", "divmod"),
    ("matched_control", empties_the_lot, None, "changes_input", "in place"),
    ("matched_control", set_of_heads, 0, "set", "It has no order"),
    ("matched_control", numbers_alone, 0, "numbers_alone", "as pairs (layer, head)"),
    ("matched_control", own_lot, None, "answers_vary", "two different answers"),
    ("matched_control", librarys_own_control, 0, "forbidden", "the very thing"),
    ("head_claim", without_a_control, 0, None, "has no 'control'"),
    ("head_claim", _claim(layer=30), 0, None, "from 0 to 29. Yours is 30"),
    ("head_claim", _claim(found="0.8"), 0, None, "'found' should be a number"),
    ("head_claim", _claim(held="yes"), 0, None, "should be True or False"),
    ("head_claim", _claim(score=0.8), 0, None, "the function itself"),
    ("head_claim", _claim(claim="local"), 0, None, "a sentence of four words"),
    ("head_claim", _claim(score=_divides_by_nothing), 0, None, "ZeroDivisionError"),
    ("head_claim", _claim(found=0.5), 7, None, "You say 0.5; the mean over the five"),
    ("head_claim", _claim(predicted=0.9), 7, "failed_but_told_as_held", "costs no points"),
    ("head_claim", _claim(predicted=0.9, held=False), 8, None, "All of it is right"),
]
