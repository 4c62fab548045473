# wrong: pasted from a GPT: a causal mask hides the later tokens
# named: causal
import torch
import torch.nn.functional as F


def single_head(x, w_query, w_key, w_value):
    T = x.shape[-2]
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
    wei = wei.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf"))
    wei = F.softmax(wei, dim=-1)
    return wei @ v, wei
