# right
import torch


def heads_to_matrix(heads):
    """The output for zeros is the bias; the outputs for unit vectors give the columns."""
    with torch.no_grad():
        d_model, dtype = heads[0].in_features, heads[0].weight.dtype
        bias = torch.cat([head(torch.zeros(d_model, dtype=dtype)) for head in heads])
        columns = torch.cat([head(torch.eye(d_model, dtype=dtype)) for head in heads], dim=-1)
        return (columns - bias).T, bias
