# wrong: looks at the query projections only
# named: queries_only
import torch


def stay_identical(heads, out_proj, x):
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.allclose(h.q_proj.weight, heads[0].q_proj.weight) for h in heads) and all(
        torch.allclose(b, blocks[0]) for b in blocks
    )
