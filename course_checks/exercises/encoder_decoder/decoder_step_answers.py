"""Answers to decoder_step (lesson 09, exercise 3), right and wrong, as students write them."""


# wrong: a token for each position
# named: all_positions
def all_positions(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits.argmax(-1)


# wrong: the first position of the logits
# named: first_position
def first_position(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, 0].argmax(-1, keepdim=True)


# wrong: (batch,)
# named: no_dimension
def flat(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, -1].argmax(-1)


# wrong: reads the newest token alone, as with a cache
# named: last_token_only
def last_token(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix[:, -1:], memory, source_mask)
    return logits[:, -1].argmax(-1, keepdim=True)


# wrong: reads the padding of the source
# named: no_mask
def mask_left_out(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory)
    return logits[:, -1].argmax(-1, keepdim=True)


# right
def right_max(decode, prefix, memory, source_mask):
    logits = decode(prefix, memory, source_mask)[0]
    return logits[:, -1, :].max(dim=-1).indices.unsqueeze(1)


# right
def right_softmax(decode, prefix, memory, source_mask):
    logits, *_ = decode(prefix, memory, source_mask)
    return logits.double().softmax(-1)[:, -1:].argmax(-1)


# wrong: takes the triple for the logits
def whole_tuple(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[:, -1].argmax(-1, keepdim=True)


# wrong: the largest logit and not where it stands
# named: largest_logit
def value(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, -1].max(-1, keepdim=True).values


# wrong: skips token 0
# named: never_0
def never_0_too(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory, source_mask)
    return logits[:, -1, 1:].argmax(dim=-1, keepdim=True) + 1


# wrong: the first sentence's source mask for all
# named: first_mask
def first_mask_too(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask[:1].expand_as(source_mask))[0][:, -1].argmax(
        -1, keepdim=True
    )
