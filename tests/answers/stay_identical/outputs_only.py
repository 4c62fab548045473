# wrong: compares only what the heads say about this x
# named: heads_only
import torch


def stay_identical(heads, out_proj, x):
    with torch.no_grad():
        outs = [head(x)[0] for head in heads]
    return all(torch.allclose(outs[0], o, atol=1e-5) for o in outs)
