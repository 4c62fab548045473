# right


def neighbours_to_halves(weight, num_heads):
    rows, d_model = weight.shape
    pairs = weight.view(num_heads, rows // num_heads // 2, 2, d_model)
    return pairs.permute(0, 2, 1, 3).reshape(rows, d_model)
