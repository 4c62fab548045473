# right


def decoder_step(decode, prefix, memory, source_mask):
    logits, *_ = decode(prefix, memory, source_mask)
    return logits.double().softmax(-1)[:, -1:].argmax(-1)
