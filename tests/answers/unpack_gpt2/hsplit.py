# right


def unpack_gpt2(weight):
    return tuple(block.swapaxes(0, 1).contiguous() for block in weight.hsplit(3))
