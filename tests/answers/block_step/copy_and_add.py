# right
def block_step(x, sublayer, norm, norm_first):
    stream = x.clone()
    stream += sublayer(norm(x) if norm_first else x)
    if not norm_first:
        stream = norm(stream)
    return stream
