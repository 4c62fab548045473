# wrong: calls torch's own _sa_block and _ff_block, the sublayers of the layer
# named: closed
def encode(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            x = x + layer._sa_block(layer.norm1(x), None, None)
            x = x + layer._ff_block(layer.norm2(x))
        else:
            x = layer.norm1(x + layer._sa_block(x, None, None))
            x = layer.norm2(x + layer._ff_block(x))
    return x if encoder.norm is None else encoder.norm(x)
