# right


def project_qkv(x, w_query, w_key, w_value):
    return tuple((x.unsqueeze(-2) * w).sum(dim=-1) for w in (w_query, w_key, w_value))
