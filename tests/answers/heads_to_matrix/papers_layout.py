# wrong: returns the weight input first, as papers and Keras write it
# named: transposed
import torch


def heads_to_matrix(heads):
    return torch.cat([h.weight.T for h in heads], dim=1), torch.cat([h.bias for h in heads])
