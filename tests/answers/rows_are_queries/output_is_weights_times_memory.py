# wrong: supposes that the values are the memory itself
# named: by_output
import torch


def rows_are_queries(attend, x, memory):
    output, weights = attend(x, memory)
    if weights.shape[1] != len(memory):
        return False
    product = weights @ memory
    return product.shape == output.shape and torch.allclose(product, output, atol=1e-4)
