# wrong: the first position of the logits
# named: first_position


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, 0].argmax(-1, keepdim=True)
