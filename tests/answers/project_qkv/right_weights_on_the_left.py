# right


def project_qkv(x, w_query, w_key, w_value):
    def project(w):
        return (w @ x.transpose(-2, -1)).transpose(-2, -1)

    return project(w_query), project(w_key), project(w_value)
