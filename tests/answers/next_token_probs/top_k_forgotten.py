# wrong: top_k is not used
# named: no_top_k
def next_token_probs(logits, temperature, top_k):
    return (logits / temperature).softmax(dim=-1)
