"""Right answers to the exercises on a real language model, written in other ways."""

import torch
import torch.nn.functional as F


def rms_norm_rsqrt(x, weight, eps):
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))


def rms_norm_by_length(x, weight, eps):
    """The length of a token, and the number of its features."""
    square = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / x.shape[-1]
    return x.div(torch.sqrt(square + eps)).mul(weight)


def rms_norm_token_by_token(x, weight, eps):
    tokens = x.reshape(-1, x.size(-1))
    rows = [token / (token @ token / len(token) + eps) ** 0.5 * weight for token in tokens]
    return torch.stack(rows).reshape(x.shape)


def swiglu_linear(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, gate)) * F.linear(x, up), down)


def swiglu_sigmoid(x, gate, up, down):
    opened = torch.einsum("...d,fd->...f", x, gate)
    hidden = opened * torch.sigmoid(opened) * torch.einsum("...d,fd->...f", x, up)
    return torch.einsum("...f,df->...d", hidden, down)


def swiglu_one_product(x, gate, up, down):
    """Both ways up in one matrix, as some libraries store them."""
    first, second = (x @ torch.cat((gate, up)).mT).chunk(2, dim=-1)
    return (first / (1 + torch.exp(-first)) * second) @ down.mT


def parts_of_head_chunks(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    shared = head * num_kv_heads // num_heads
    keys, values = w_k.chunk(num_kv_heads), w_v.chunk(num_kv_heads)
    return w_q.chunk(num_heads)[head], keys[shared], values[shared]


def parts_of_head_repeated(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    """Each key head as often as it is used, as some libraries do."""
    w_q, w_k, w_v = (w.unflatten(0, (-1, w_q.shape[0] // num_heads)) for w in (w_q, w_k, w_v))
    group = num_heads // num_kv_heads
    w_k, w_v = (w.repeat_interleave(group, dim=0) for w in (w_k, w_v))
    return [w[head] for w in (w_q, w_k, w_v)]


def parts_of_head_counted(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_k) // num_kv_heads
    shared, last = 0, num_heads // num_kv_heads - 1
    while head > last:
        shared, last = shared + 1, last + num_heads // num_kv_heads
    parts = (w_q, head), (w_k, shared), (w_v, shared)
    return torch.stack([w.narrow(0, which * size, size) for w, which in parts])


def neighbours_to_halves_slices(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.size(1))
    return torch.cat((heads[:, ::2], heads[:, 1::2]), dim=1).flatten(0, 1)


def neighbours_to_halves_indices(weight, num_heads):
    head_dim = len(weight) // num_heads
    rows = [
        head * head_dim + row
        for head in range(num_heads)
        for start in (0, 1)
        for row in range(start, head_dim, 2)
    ]
    return weight[rows]


def neighbours_to_halves_matrix(weight, num_heads):
    """By a product with a matrix of zeros and ones."""
    head_dim = weight.shape[0] // num_heads
    order = torch.arange(head_dim).view(-1, 2).T.flatten()
    swap = torch.block_diag(*[torch.eye(head_dim, dtype=weight.dtype)[order]] * num_heads)
    return swap @ weight


def next_token_probs_scattered(logits, temperature, top_k):
    """Zeros for all, and the probabilities of the kept ones put where they belong."""
    count = logits.shape[-1] if top_k is None else top_k
    largest, places = torch.topk(logits, count)
    probs = torch.softmax(largest / temperature, dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, probs)


def next_token_probs_divided_again(logits, temperature, top_k):
    """All probabilities first; what is left is divided by its sum."""
    probs = torch.exp(logits / temperature - torch.logsumexp(logits / temperature, -1, True))
    if top_k:
        ranks = probs.argsort(dim=-1, descending=True).argsort(dim=-1)
        probs = torch.where(ranks < top_k, probs, torch.tensor(0.0))
    return probs / probs.sum(-1, keepdim=True)


def previous_token_head_counting(maps):
    """The sum and the number of queries, head by head."""
    best = None
    for layer in range(len(maps[0])):
        for head in range(len(maps[0][layer])):
            found = [
                text[layer, head, i, i - 1] for text in maps for i in range(1, len(text[0][0]))
            ]
            score = sum(found).item() / len(found)
            if best is None or score > best[2]:
                best = layer, head, score
    return best


def previous_token_head_weighted(maps):
    """Means of the texts, weighted with the numbers of their queries."""
    counts = torch.tensor([float(text.size(-1) - 1) for text in maps])
    means = torch.stack([text[..., 1:, :-1].diagonal(0, 2, 3).mean(-1) for text in maps], dim=-1)
    scores = (means * counts).sum(-1) / counts.sum()
    place = torch.nonzero(scores == scores.max())[0]
    return [place[0].item(), place[1].item(), scores.max()]


def matched_control_next(chosen, order):
    """One walk through the lot for each chosen head."""
    taken = set(chosen)
    control = []
    for layer, _ in chosen:
        other = next((head for head in order if head[0] == layer and head not in taken), None)
        if other is not None:
            control.append(other)
            taken.add(other)
    return control


def matched_control_queues(chosen, order):
    """The free heads of each layer stand in a queue."""
    queues = {}
    for head in order:
        if head not in chosen:
            queues.setdefault(head[0], []).append(head)
    return [queues[layer].pop(0) for layer, _ in chosen if queues.get(layer)]


def head_claim_previous():
    """A loop over the queries, and a prediction that failed."""

    def on_previous(weights, pieces):
        found = [weights[i, i - 1].item() for i in range(2, len(pieces))]
        return sum(found) / len(found)

    return {
        "layer": 16,
        "head": 0,
        "claim": "From the third token on, queries look at the token before.",
        "score": on_previous,
        "found": 0.784,
        "control": 0.13,
        "predicted": 0.9,
        "held": False,
    }


def head_claim_first():
    """A share of the queries, as a tensor."""
    return dict(
        layer=29,
        head=5,
        claim="Nearly all of its queries give the first token the largest weight.",
        score=lambda weights, pieces: (weights[1:].argmax(dim=-1) == 0).double().mean(),
        found=1,
        control=0.69,
        predicted=0.9,
        held=True,
    )


def turn_and_repeat_list(projected, num_heads, head_dim, turn):
    heads = list(projected.split(head_dim, dim=-1))  # (batch, length, head_dim) each
    if turn is not None:
        heads = [turn(head[:, None])[:, 0] for head in heads]
    count = num_heads // len(heads)
    return torch.cat([head for head in heads for _ in range(count)], dim=-1)


def turn_and_repeat_expand(projected, num_heads, head_dim, turn):
    batch, length, width = projected.shape
    heads = projected.view(batch, length, width // head_dim, head_dim).permute(0, 2, 1, 3)
    heads = heads if turn is None else turn(heads)
    shared = heads.unsqueeze(2).expand(-1, -1, num_heads * head_dim // width, -1, -1)
    return shared.permute(0, 3, 1, 2, 4).reshape(batch, length, num_heads * head_dim)
