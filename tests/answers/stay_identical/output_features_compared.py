# wrong: says True when all outputs of the layer are equal for all tokens
# named: heads_only

import torch


def stay_identical(heads, out_proj, x):
    outputs = [head(x)[0] for head in heads]
    return all(torch.allclose(outputs[0], o, atol=1e-5) for o in outputs)
