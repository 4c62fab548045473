# wrong: reads the padding of the source
# named: no_mask


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory)
    return logits[:, -1].argmax(-1, keepdim=True)
