# wrong: takes the triple for the logits


def decoder_step(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[:, -1].argmax(-1, keepdim=True)
