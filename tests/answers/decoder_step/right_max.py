# right


def decoder_step(decode, prefix, memory, source_mask):
    logits = decode(prefix, memory, source_mask)[0]
    return logits[:, -1, :].max(dim=-1).indices.unsqueeze(1)
