# wrong: returns one answer for each sentence
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    answers = []
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        answers.append(not torch.allclose(alone[0], together[b], atol=1e-5))
    return answers
