"""Type a sentence in the words of a small language model, which the browser itself computes."""

import html
from collections.abc import Collection, Mapping, Sequence, Set
from itertools import product

import torch
import traitlets

from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, run
from course_lib.validation import traits
from course_lib.validation.labels import checked_tokens, shortened
from course_lib.validation.layer_inputs import check_positive
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.model_runs import checked_model, most_positions, sizes_of
from course_lib.widgets.packed_model import packed_model
from course_lib.widgets.picture import STILL, maps_image, still_table

MOST_WORDS = 2000
MOST_CHARACTERS = 1_500_000  # of all models together on a page
LIKELIEST = 8


class SentenceLab(CourseWidget):
    """The next words, every head's weights, and what changes when heads are switched off.

    The model goes to the browser and is computed there, so the lab works without Python. Without
    some heads, it shows beside the new probabilities those without as many other heads, chosen by
    chance: all choices of the same layers, or 20 of them by lot. A sentence that the model cannot
    read is answered in words, and the last picture stays.

    The traits ``text, off, layer, head, query, variant`` follow what is typed and clicked and can
    be set: ``lab.off = [(0, 5)]`` switches off head 5 of layer 0.

    Args:
        models: a ``DecoderLM`` in eval mode, or name -> ``DecoderLM``, such as one before and one
            after training, with equal numbers of words, layers and heads. One that is called
            "untrained" is marked.
        words: the text of each token, without spaces in it, each once.
        text: the first sentence, its words parted by spaces.
        max_tokens: the longest sentence; learned positions may allow less.
        off: heads that are off at first, as pairs (layer, head), both counted from 0. None takes
            the head without which the answer is another, if there is one: the likeliest next word
            then becomes one that was less than half as likely before.
        layer, head: the head that is shown at first.
        query: the word, counted from 0, whose weights are shown; the last one when it is None.

    Raises:
        TypeError, ValueError: a model is no ``DecoderLM`` in eval mode, the models or words do not
            fit together, or the models take more than 1.5 MB of a page.
        TraitError: a sentence, a head or a word that the model does not have.
    """

    _esm = javascript("sentence_lab")
    text = traits.Text().tag(sync=True, page=True)
    off: traitlets.List = traits.Row().tag(sync=True, page=True)
    layer = traits.WholeNumber(0).tag(sync=True, page=True)
    head = traits.WholeNumber(0).tag(sync=True, page=True)
    query = traits.WholeNumber(0).tag(sync=True, page=True)
    variant = traits.Text().tag(sync=True, page=True)

    def __init__(
        self,
        models: DecoderLM | Mapping[str, DecoderLM],
        words: Sequence[str],
        text: str,
        *,
        max_tokens: int = 32,
        off: Collection[Head] | None = None,
        layer: int = 0,
        head: int = 0,
        query: int | None = None,
    ):
        check_positive(max_tokens=max_tokens)
        named = {"": models} if not isinstance(models, Mapping) else dict(models)
        if not named:
            raise ValueError("models must hold at least one model, got none")
        self._models = {
            name: checked_model(f"models[{name!r}]" if name else "models", model)
            for name, model in named.items()
        }
        sizes = {name: sizes_of(model) for name, model in self._models.items()}
        first = next(iter(sizes.values()))
        self._layers, self._heads, vocab_size = first
        for name, size in sizes.items():
            if size != first:
                raise ValueError(
                    f"model {name!r} must have the first one's layers, heads and number of words "
                    f"{first}, got {size}"
                )
        self._words = checked_tokens("words", words, MOST_WORDS)
        if len(self._words) != vocab_size:
            raise ValueError(
                f"words must hold {vocab_size} texts, one for each token, got {len(self._words)}"
            )
        wrong = [word for word in self._words if len(word.split()) != 1]
        wrong += [word for word in self._words if self._words.count(word) > 1]
        if wrong:
            raise ValueError(f"words must each be one word that comes once, got {wrong[0]!r}")
        longest = [most_positions(model) or max_tokens for model in self._models.values()]
        self._most = min(max_tokens, *longest)
        sent = [
            {"name": name, "untrained": name == "untrained"} | packed_model(model)
            for name, model in self._models.items()
        ]
        characters = sum(len(model["packed"]["data"]) for model in sent)
        if characters > MOST_CHARACTERS:
            raise ValueError(
                f"models must take at most {MOST_CHARACTERS / 1e6} MB of a page, got "
                f"{characters / 1e6:.1f} MB; ModelLab shows a large model, with a kernel"
            )
        super().__init__(
            _data={
                "words": self._words,
                "models": sent,
                "max_tokens": self._most,
                "layers": self._layers,
                "heads": self._heads,
            },
            text=text,
            off=list(off) if isinstance(off, Set) else off or [],
            layer=layer,
            head=head,
            variant=next(iter(self._models)),
        )
        self.query = len(self._tokens()) - 1 if query is None else query
        if off is None:
            self.off = self._deciding_head()

    def _tokens(self) -> list[int]:
        return [self._words.index(word) for word in self.text.split()]

    def _run(self, off: Collection[Head]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the probabilities of the next word (words,) and all weights, float32."""
        logits, weights = run(self._models[self.variant], torch.tensor([self._tokens()]), off)
        return logits[0, -1].float().softmax(dim=-1), torch.cat(weights).float()

    def _deciding_head(self) -> list[list[int]]:
        """Return the head without which another word leads by the most, or none."""
        with_all, _ = self._run(())
        leads: dict[Head, float] = {}
        for head in product(range(self._layers), range(self._heads)):
            without, _ = self._run([head])
            word = without.argmax()
            leads[head] = (without[word] / with_all[word]).item()
        best = max(leads, key=lambda head: leads[head])
        return [list(best)] if leads[best] > 2 else []

    @property
    def weights(self) -> torch.Tensor:
        """The weights (layers, heads, length, length) while the heads ``off`` are off."""
        return self._run([(layer, head) for layer, head in self.off])[1]

    @property
    def next_words(self) -> list[tuple[str, float, float]]:
        """Every word as the next one: its probability with all heads on, and without ``off``.

        The likeliest with all heads on comes first.
        """
        with_all, _ = self._run(())
        without, _ = self._run([(layer, head) for layer, head in self.off])
        order = with_all.argsort(descending=True, stable=True).tolist()
        return [(self._words[i], with_all[i].item(), without[i].item()) for i in order]

    def describe(self) -> str:
        return (
            f"SentenceLab({self._layers} layers of {self._heads} heads, {len(self._words)} words)"
        )

    def still(self, picture: bool = True) -> str:
        sentence = self.text.split()
        # Whole percents: further digits may differ on another processor.
        lines = "".join(
            f"<tr><th><bdi>{html.escape(word)}</bdi></th><td>{with_all:.0%}</td>"
            + (f"<td>{without:.0%}</td>" if self.off else "")
            + "</tr>"
            for word, with_all, without in self.next_words[:LIKELIEST]
        )
        off = ", ".join(f"{layer}.{head}" for layer, head in self.off)
        columns = ["next word", "all heads on", *([f"without {off}"] if off else [])]
        table = still_table(f"{STILL}What comes after “{self.text}”", columns, lines)
        if not picture:
            return table
        weights, place = self.weights, (self.layer, self.head, self.query)
        allowed = torch.ones_like(weights, dtype=torch.bool).tril()
        return maps_image(weights.numpy(), allowed.numpy(), sentence, sentence, place) + table

    @traitlets.observe("text")
    def _keep_in_the_sentence(self, _) -> None:
        self.query = min(self.query, len(self._tokens()) - 1)

    @traitlets.validate("text")
    def _check_text(self, proposal):
        sentence = proposal["value"].split()
        unknown = [word for word in sentence if word not in self._words]
        if unknown:
            raise traitlets.TraitError(
                f"text: the model has no word {unknown[0]!r}, got {shortened(proposal['value'])}"
            )
        if not 1 <= len(sentence) <= self._most:
            raise traitlets.TraitError(
                f"text must hold 1 to {self._most} words, got {len(sentence)}"
            )
        return " ".join(sentence)

    @traitlets.validate("off")
    def _check_off(self, proposal):
        return traits.heads_in_order("off", proposal["value"], self._layers, self._heads)

    @traitlets.validate("layer", "head", "query")
    def _check_choice(self, proposal):
        name, value = proposal["trait"].name, proposal["value"]
        counts = {"layer": self._layers, "head": self._heads, "query": len(self.text.split())}
        return traits.in_range(name, value, max(counts[name], 1))

    @traitlets.validate("variant")
    def _check_variant(self, proposal):
        return traits.checked_choice("variant", proposal["value"], list(self._models))
