# wrong: compares the attention maps and the blocks, and not the values
# named: maps_compared

import torch


def stay_identical(heads, out_proj, x):
    maps = [head(x)[1] for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_maps = all(torch.allclose(maps[0], m, atol=1e-5) for m in maps)
    return same_maps and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
