"""Lesson 09, exercise 6: six small models trained here, five with a fault, and their symptoms."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.attention.positions import sinusoidal_table
from course_lib.model.block import TransformerStack

NUM_LETTERS, LENGTH, START = 8, 5, 8


class Sorter(nn.Module):
    """An encoder and a decoder of one block each, which are to write five letters in order."""

    def __init__(
        self, dropout: float = 0.0, is_causal: bool = True, reads_source: bool = True
    ) -> None:
        super().__init__()
        self.is_causal, self.reads_source = is_causal, reads_source
        self.embedding = nn.Embedding(NUM_LETTERS + 1, 32)  # the letters and START
        self.encoder = TransformerStack(1, 32, 2, 64, dropout=dropout)
        self.decoder = TransformerStack(1, 32, 2, 64, dropout=dropout, cross_attention=True)
        self.head = nn.Linear(32, NUM_LETTERS + 1)

    def forward(self, source: torch.Tensor, read: torch.Tensor) -> torch.Tensor:
        """source (B, S) and what the decoder reads (B, T) -> logits (B, T, letters + 1)."""
        if not self.reads_source:
            source = torch.zeros_like(source)
        x, y = (
            self.embedding(tokens) + sinusoidal_table(tokens.shape[1], 32)
            for tokens in (source, read)
        )  # (B, S, 32), (B, T, 32)
        memory = self.encoder(x)[0]  # (B, S, 32)
        return self.head(self.decoder(y, memory, is_causal=self.is_causal)[0])


# What is wrong with each loop, by the numbers of the exercise.
FAULTS: dict[int, dict[str, Any]] = {
    0: {},
    1: {"learns": False},
    2: {"dropout": 0.1, "stays_in_training": True},
    3: {"is_causal": False},
    4: {"reads_source": False},
    5: {"is_shifted": False},
}


def _draw(count: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    source = torch.randint(NUM_LETTERS, (count, LENGTH), generator=generator)
    return source, source.sort(dim=1).values  # (count, 5) each


def _read(target: torch.Tensor, is_shifted: bool) -> torch.Tensor:
    return F.pad(target[:, :-1], (1, 0), value=START) if is_shifted else target


def record_of_training(
    seed: int,
    *,
    learns: bool = True,
    is_shifted: bool = True,
    stays_in_training: bool = False,
    **settings: Any,
) -> dict[str, float]:
    """Train one ``Sorter`` and return its symptoms, a record as in the exercise.

    Args:
        seed: of the weights, the data and the dropout.
        learns, is_shifted, stays_in_training, settings: the loop's fault, see ``FAULTS``.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Sorter(**settings)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        losses = []
        for _ in range(100):
            source, target = _draw(64, generator)
            logits = model(source, _read(target, is_shifted))
            loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
            losses.append(loss.item())
            if learns:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        model.train(stays_in_training)
        symptoms = _measure(model, *_draw(200, generator), is_shifted)
    return {"first_loss": losses[0], "last_loss": losses[-1]} | symptoms


@torch.no_grad()
def _measure(
    model: Sorter, source: torch.Tensor, target: torch.Tensor, is_shifted: bool
) -> dict[str, float]:
    read = _read(target, is_shifted)  # (200, 5)
    logits = model(source, read)  # (200, 5, letters + 1)
    written = torch.full((len(source), 1), START)
    for _ in range(LENGTH):
        written = torch.cat((written, model(source, written)[:, -1:].argmax(dim=-1)), dim=1)
    later = read.clone()
    later[:, 3] = (later[:, 3] + 1) % NUM_LETTERS

    def change(other: torch.Tensor, before: int = LENGTH) -> float:
        return (logits - other)[:, :before].abs().max().item()

    return {
        "forced": (logits.argmax(dim=-1) == target).double().mean().item(),
        "free": (written[:, 1:] == target).double().mean().item(),
        "later": change(model(source, later), before=3),
        "source": change(model((source + 1) % NUM_LETTERS, read)),
        "twice": change(model(source, read)),
    }


def train_six() -> dict[str, dict[str, float]]:
    """Train all six and return their records, under letters that do not tell which is which."""
    return {
        letter: record_of_training(0, **FAULTS[number])
        for letter, number in zip("ABCDEF", (2, 5, 0, 4, 1, 3), strict=True)
    }
