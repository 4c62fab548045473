# wrong: calls whole layers
# named: closed
def encode(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return x if encoder.norm is None else encoder.norm(x)
