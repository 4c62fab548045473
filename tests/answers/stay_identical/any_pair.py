# wrong: any pair of equal heads is enough
# named: any_pair

import itertools

import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)

    def same(i, j):
        pairs = zip(heads[i].parameters(), heads[j].parameters())
        return all(torch.allclose(p, q, atol=1e-5) for p, q in pairs) and torch.allclose(
            blocks[i], blocks[j], atol=1e-5
        )

    return any(same(i, j) for i, j in itertools.combinations(range(len(heads)), 2))
