# wrong: compares the outputs of the heads now and the norms of the blocks, which equal norms do not make equal
import torch


def stay_identical(heads, out_proj, x):
    outs = [h(x)[0] for h in heads]
    norms = torch.stack([b.norm() for b in out_proj.weight.chunk(len(heads), dim=1)])
    return all(torch.allclose(o, outs[0], atol=1e-5) for o in outs) and torch.allclose(
        norms, norms[0].expand_as(norms)
    )
