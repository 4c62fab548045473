"""Right answers to the exercises on serving, written in other ways."""

import heapq
from itertools import takewhile

import torch
import torch.nn.functional as F


def page_rows_heap(events, num_pages, page_size):
    """The free pages in a heap, and the rows of a sequence as a list that grows."""
    free, own, rows = list(range(num_pages)), {}, []
    for name, new in events:
        if not new:
            for first in own.pop(name)[::page_size]:
                heapq.heappush(free, first // page_size)
            continue
        held = own.setdefault(name, [])
        for _ in range(new):
            if len(held) % page_size:
                held.append(held[-1] + 1)
            else:
                held.append(heapq.heappop(free) * page_size)
            rows.append(held[-1])
    return rows, sorted(free)


def page_rows_owners(events, num_pages, page_size):
    """A table with the owner of each page, in which the free ones are looked up."""
    owner, last, length, rows = [None] * num_pages, {}, {}, []
    for name, new in events:
        if new == 0:
            owner = [None if one == name else one for one in owner]
            length[name] = 0
        for _ in range(new):
            place = length.get(name, 0) % page_size
            if place == 0:
                last[name] = owner.index(None)
                owner[last[name]] = name
            rows.append(last[name] * page_size + place)
            length[name] = length.get(name, 0) + 1
    return torch.tensor(rows), [page for page, one in enumerate(owner) if one is None]


def shared_pages_pairs(prompts, page_size):
    """Each prompt against each earlier one, token by token."""
    found = []
    for i, prompt in enumerate(prompts):
        pairs = [zip(prompt, other, strict=False) for other in prompts[:i]]
        same = [len(list(takewhile(lambda pair: pair[0] == pair[1], one))) for one in pairs]
        found.append(max(same, default=0) // page_size)
    return found


def shared_pages_tree(prompts, page_size):
    """A tree of pages: each knows those that followed it."""
    root, found = {}, []
    for prompt in prompts:
        node, shared, is_new = root, 0, False
        for i in range(len(prompt) // page_size):
            page = tuple(prompt[i * page_size : (i + 1) * page_size])
            is_new = is_new or page not in node
            shared += not is_new
            node = node.setdefault(page, {})
        found.append(shared)
    return tuple(found)


def check_guesses_loop(guesses, logits, lengths):
    stand, token = [], []
    for row, scores in zip(guesses.tolist(), logits, strict=True):
        number = 0
        while number < len(row) and row[number] == scores[number].argmax():
            number += 1
        stand.append(number)
        token.append(int(scores[number].argmax()))
    stand = torch.tensor(stand)
    return stand, torch.tensor(token), lengths + stand + 1


def check_guesses_first_wrong(guesses, logits, lengths):
    """The first wrong place, with one behind the end that is always wrong."""
    says = logits.max(-1).indices
    is_wrong = F.pad((guesses != says[:, :-1]).int(), (0, 1), value=1)
    stand = is_wrong.argmax(1)
    token = says[torch.arange(len(says)), stand]
    return stand, token, lengths.add(stand).add(1)


def accept_or_draw_loop(target, draft, guesses, uniforms):
    accept, tokens, rests = [], [], []
    for p, q, guess, (first, second) in zip(target, draft, guesses, uniforms, strict=True):
        rest = F.relu(p - q)
        rest = rest / rest.sum()
        accept.append(torch.minimum(p[guess] / q[guess], torch.ones(())))
        drawn = int(torch.searchsorted(rest.cumsum(0), second, right=True))
        tokens.append(int(guess) if first < accept[-1] else drawn)
        rests.append(rest)
    rests = torch.stack(rests) if rests else torch.zeros_like(target)
    accept = torch.stack(accept) if accept else target.new_zeros(0)
    return accept, rests, torch.tensor(tokens, dtype=torch.long)


def accept_or_draw_both(target, draft, guesses, uniforms):
    """What both have in common, first: it is what is accepted, over the draft."""
    common = torch.minimum(target, draft)
    rows = torch.arange(len(guesses))
    accept = common[rows, guesses] / draft[rows, guesses]
    rest = target - common
    rest = rest / (1 - common.sum(1, keepdim=True))
    second = uniforms[:, 1:].contiguous()
    drawn = torch.searchsorted(rest.cumsum(1), second, right=True)[:, 0]
    return accept, rest, torch.where(uniforms[:, 0] >= accept, drawn, guesses)


def quantise_sorted(keys, bits):
    ordered = keys.sort(dim=1).values
    offset, last = ordered[:, :1], ordered[:, -1:]
    scale = (last - offset) / (2**bits - 1)
    codes = torch.where(scale > 0, (keys - offset) / scale, torch.zeros_like(keys))
    return torch.round(codes), scale, offset


def quantise_loop(keys, bits):
    codes, scales, offsets = torch.zeros_like(keys), [], []
    for head in range(keys.shape[0]):
        for channel in range(keys.shape[2]):
            numbers = keys[head, :, channel]
            low, steps = numbers.min(), 2**bits - 1
            scale = (numbers.max() - low) / steps
            if scale > 0:
                codes[head, :, channel] = ((numbers - low) / scale).round()
            scales.append(scale)
            offsets.append(low)
    shape = keys.shape[0], 1, keys.shape[2]
    return codes, torch.stack(scales).view(shape), torch.stack(offsets).view(shape)


def attend_to_chosen_loop(query, key, value, index_scores, k):
    """Query by query, with the keys that it has."""
    chosen, outputs = torch.zeros(index_scores.shape, dtype=torch.bool), []
    for i in range(len(index_scores)):
        best = index_scores[i, : i + 1].argsort(descending=True)[:k]
        chosen[i, best] = True
        scores = torch.einsum("hd,hkd->hk", query[:, i], key[:, best]) / query.shape[2] ** 0.5
        outputs.append(torch.einsum("hk,hkd->hd", scores.softmax(-1), value[:, best]))
    return torch.stack(outputs, 1), chosen


def attend_to_chosen_ranks(query, key, value, index_scores, k):
    """Ranks in place of topk, and batched products of the gathered keys."""
    length = len(index_scores)
    past = torch.arange(length) <= torch.arange(length)[:, None]
    order = index_scores.masked_fill(~past, -torch.inf).argsort(dim=1, descending=True)
    chosen = (order.argsort(dim=1) < k) & past
    order = order[:, :k]
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, order]) * query.shape[-1] ** -0.5
    scores = scores.masked_fill(~past.gather(1, order), -torch.inf)
    return torch.einsum("hqk,hqkd->hqd", scores.softmax(-1), value[:, order]), chosen


def attend_to_chosen_head_by_head(query, key, value, index_scores, k):
    n = key.shape[1]
    best, where = torch.topk(index_scores + torch.full((n, n), -torch.inf).triu(1), min(k, n))
    has = best.isfinite()
    outputs = []
    for q, ks, v in zip(query, key, value, strict=True):
        scores = (ks[where] @ q[:, :, None])[..., 0] / q.shape[1] ** 0.5
        weights = torch.where(has, scores, -torch.inf).softmax(1)
        outputs.append((weights[:, None] @ v[where])[:, 0])
    table = torch.zeros(n, n).scatter_(1, where, has.float()) > 0
    return torch.stack(outputs), table
