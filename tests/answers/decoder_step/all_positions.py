# wrong: a token for each position
# named: all_positions


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits.argmax(-1)
