# wrong: compares outputs and blocks, and heads with other weights can have the same output
# named: cancelling_signs

import torch


def stay_identical(heads, out_proj, x):
    outputs = [head(x)[0] for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    same_outputs = all(torch.allclose(outputs[0], o, atol=1e-5) for o in outputs)
    return same_outputs and all(torch.allclose(blocks[0], b, atol=1e-5) for b in blocks)
