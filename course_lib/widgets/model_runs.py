"""What a model says of a text, with all its heads and without some, as the board shows it."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from course_lib.model.language_model import DecoderLM
from course_lib.study.head_places import layers_of
from course_lib.study.heads import (
    first_token_score,
    induction_score,
    previous_token_score,
    same_token_score,
)
from course_lib.validation.labels import spelt_out
from course_lib.widgets.packed_numbers import packed_shares

# Name of a score: how it is computed from a layer's weights and the tokens, and what it says.
SCORES: dict[str, tuple[Callable, str]] = {
    "previous token": (
        lambda weights, tokens: previous_token_score(weights),
        "mean weight on the token just before the query",
    ),
    "first token": (
        lambda weights, tokens: first_token_score(weights),
        "mean weight on the first token of the text, over all later queries",
    ),
    "own token": (
        lambda weights, tokens: same_token_score(weights),
        "mean weight on the query's own token; the first token has no other",
    ),
    "induction": (
        induction_score,
        "mean weight on what came after an earlier token equal to the query's",
    ),
}


def checked_model(name: str, model: DecoderLM) -> DecoderLM:
    """Return a model in eval mode; another is refused."""
    if not isinstance(model, DecoderLM):
        raise TypeError(f"{name} must be a DecoderLM, got {type(model).__name__}")
    check_writes(name, model)
    return model


def check_writes(name: str, model: nn.Module) -> None:
    """Refuse what is neither a ``DecoderLM`` nor transformers' like, and a model in training."""
    config: Any = getattr(model, "config", None)
    can_generate = bool(getattr(type(model), "can_generate", bool)())  # transformers' class method
    if not isinstance(model, DecoderLM) and (not can_generate or config.is_encoder_decoder):
        raise TypeError(
            f"{name} must be a DecoderLM or a model of transformers that writes after a text, "
            f"got {type(model).__name__}"
        )
    if model.training:
        raise ValueError(f"{name} must be in eval mode, call model.eval() first")


def sizes_of(model: Any) -> tuple[int, int, int]:
    """Return the numbers of layers, of heads in a layer, and of words."""
    layers = layers_of(model)
    sizes = {number: layer.num_heads for number, layer in layers.items()}
    if list(sizes) != list(range(len(sizes))) or len(set(sizes.values())) > 1:
        raise ValueError(f"model must have as many heads in each layer, got {sizes}")
    if isinstance(model, DecoderLM):
        return len(sizes), sizes[0], model.head.out_features
    return len(sizes), sizes[0], model.config.get_text_config().vocab_size


def most_positions(model: Any) -> int | None:
    """Return how many tokens the model can read; None where there is no bound."""
    if isinstance(model, DecoderLM):
        return getattr(model.positions, "max_len", None)  # of learned positions
    return getattr(model.config.get_text_config(), "max_position_embeddings", None)


def packed_scores(weights: Sequence[torch.Tensor], tokens: torch.Tensor) -> dict[str, str | None]:
    """Return each score of all heads for the browser; None where the text has no such pair.

    Weights are (1, num_heads, length, length) for each layer, tokens (1, length).
    """
    packed: dict[str, str | None] = {}
    for name, (score, _) in SCORES.items():
        scores = torch.stack([score(layer, tokens) for layer in weights])  # (layers, num_heads)
        packed[name] = None if scores.isnan().any() else packed_shares(scores)
    return packed


def packed_maps(weights: Sequence[torch.Tensor]) -> str:
    """Return the cells of all maps that a causal mask allows, for the browser.

    Weights are (1, num_heads, length, length) for each layer.
    """
    maps = torch.cat(list(weights))  # (layers, num_heads, length, length)
    rows, columns = torch.tril_indices(maps.shape[-1], maps.shape[-1])
    return packed_shares(maps[..., rows, columns])


def sentence_of(decode: Callable[[int], str], tokens: torch.Tensor) -> list[str]:
    """Return the pieces of what a model wrote (length,), up to the end of the line or the text."""
    pieces = []
    for token in tokens.tolist():
        piece = decode(token)
        if "\n" in piece or piece.startswith("<|"):
            break
        pieces.append(piece)
    return pieces


def likeliest(
    decode: Callable[[int], str],
    with_all: torch.Tensor,
    without: torch.Tensor,
    draws: torch.Tensor | None,
    top: int,
) -> list[list]:
    """Return texts and probabilities of the ``top`` likeliest tokens, best first.

    Probabilities are (vocab_size,): with all heads and without some, and either makes a token
    likely. Those of the ``draws`` (draws, vocab_size), without as many other heads, add their mean,
    lowest and highest.
    """
    likely = torch.maximum(with_all, without).topk(top).indices
    likely = likely[with_all[likely].argsort(descending=True, stable=True)]
    columns = [with_all, without]
    if draws is not None:
        columns += [draws.mean(dim=0), draws.amin(dim=0), draws.amax(dim=0)]
    return [
        [
            spelt_out(decode(number) or f"token {number}"),
            *(round(column[number].item(), 5) for column in columns),
        ]
        for number in likely.tolist()
    ]


def by_chance(before: str, written: Sequence[str]) -> dict:
    """Return how many draws of other heads changed nothing, and what the rest of them wrote.

    ``before`` is what the model writes with all its heads.
    """
    others = list(dict.fromkeys(line for line in written if line != before))
    same = sum(line == before for line in written)
    return {"same": same, "done": len(written), "of": len(written), "others": others}
