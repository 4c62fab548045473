# right
def next_token_probs(logits, temperature, top_k):
    # p ** (1 / T), divided by the sum again, is the same as dividing the logits
    p = logits.softmax(dim=-1) ** (1 / temperature)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., [-1]])
    return p / p.sum(dim=-1, keepdim=True)
