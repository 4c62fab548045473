# wrong: compares the first two heads and blocks only
# named: first_two_only
import torch


def stay_identical(heads, out_proj, x):
    d = out_proj.weight.shape[1] // len(heads)
    w = out_proj.weight
    same = all(torch.allclose(a, b) for a, b in zip(heads[0].parameters(), heads[1].parameters()))
    return same and torch.allclose(w[:, :d], w[:, d : 2 * d])
