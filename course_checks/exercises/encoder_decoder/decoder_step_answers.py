"""Answers to decoder_step (lesson 09, exercise 3), right and wrong, as students write them."""

import functools

import torch

from course_lib import padding_mask


# right
def by_log_probs(decode, prefix, memory, source_mask):
    log_probs = decode(prefix, memory, source_mask)[0].log_softmax(dim=-1)
    return log_probs[:, -1:].argmax(dim=-1)


# right
def topk(decode, prefix, memory, source_mask):
    logits = decode(prefix, memory, source_mask)[0][:, prefix.shape[1] - 1]
    return logits.topk(1).indices


# right
def sentences(decode, prefix, memory, source_mask):
    """Each sentence by itself, without its padding."""
    tokens = []
    for b in range(len(prefix)):
        real = source_mask[b, 0, 0]
        logits, *_ = decode(
            prefix[b : b + 1], memory[b : b + 1, real], real[None, None, None, real]
        )
        tokens.append([max(range(logits.shape[-1]), key=logits[0, -1].tolist().__getitem__)])
    return torch.tensor(tokens)


# wrong: reads the padding of the source
# named: no_mask
# points: 4
def mask_left_out(decode, prefix, memory, source_mask):
    logits, _, _ = decode(prefix, memory)
    return logits[:, -1].argmax(-1, keepdim=True)


# wrong: takes the triple for the logits
def whole_tuple(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[:, -1].argmax(-1, keepdim=True)


# wrong: hands over memory and prefix in the other order
# says: stopped with an error
def memory_first(decode, prefix, memory, source_mask):
    return decode(memory, prefix, source_mask)[0][:, -1].argmax(dim=-1, keepdim=True)


# wrong: draws the next token
# named: answers_vary
def draws(decode, prefix, memory, source_mask):
    chances = decode(prefix, memory, source_mask)[0][:, -1].div(10).softmax(dim=-1)
    return torch.multinomial(chances, 1)


# wrong: takes the last sentence in place of the last position
def last_sentence(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[0][-1].argmax(dim=-1, keepdim=True)


# wrong: returns a list
# says: a torch.Tensor
def python_list(decode, prefix, memory, source_mask):
    return decode(prefix, memory, source_mask)[0][:, -1].argmax(dim=-1).tolist()


# other inputs
def decoder(generator, vocab_size, width):
    """Another one than the check's: a running sum beside a masked mean of the memory."""
    embedding, head = (torch.randn(vocab_size, width, generator=generator) for _ in range(2))

    def decode(prefix, memory, source_mask=None):
        steps = torch.arange(1, prefix.shape[1] + 1)[:, None]
        real = torch.ones(1, 1, memory.shape[1]) if source_mask is None else source_mask[:, 0]
        mean = (real.float() @ memory) / real.float().sum(dim=-1, keepdim=True)
        return (((embedding[prefix] * steps).cumsum(dim=1) + 3 * mean) @ head.T), None, None

    return decode


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    randint = functools.partial(torch.randint, generator=generator)
    for batch, length, source_len in ((1, 2, 3), (3, 1, 4), (4, 4, 4), (5, 3, 6)):
        mask = padding_mask(randint(1, source_len + 1, (batch,)), source_len)
        memory = randn(batch, source_len, 5)
        yield decoder(generator, 9, 5), randint(9, (batch, length)), memory, mask
