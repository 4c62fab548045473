# wrong: the diagonal is moved one too far left: a token may not attend to itself
# named: without_itself

import torch


def causal_mask(query_len, key_len):
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len - 1)
