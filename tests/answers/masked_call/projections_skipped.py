# wrong: attention of x itself, without the layer's matrices
# named: without_matrices
import math


def masked_call(layer, x, mask):
    scores = x @ x.transpose(1, 2) / math.sqrt(x.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
    return weights @ x, weights
