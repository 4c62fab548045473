# wrong: (batch,)
# named: no_dimension


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, -1].argmax(-1)
