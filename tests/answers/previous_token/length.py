# wrong: divides by the length, not by length - 1
# named: first_query_counts


def previous_token(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).sum((0, 2)) / (
        weights.shape[0] * weights.shape[2]
    )
