# wrong: calls whole layers
def encode(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return x if encoder.norm is None else encoder.norm(x)
