# wrong: the largest logit and not where it stands
# named: largest_logit


def decoder_step(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, -1].max(-1, keepdim=True).values
