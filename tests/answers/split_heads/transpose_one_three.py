# wrong: exchanges tokens with the features of a head
# named: tokens_with_features


def split_heads(x, num_heads):
    b, t, d = x.shape
    return x.view(b, t, num_heads, d // num_heads).transpose(1, 3)
