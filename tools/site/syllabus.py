"""The syllabus: the parts of the course and their lessons, and what a text says about them.

From here `make links` writes the README's table, the map in lesson 00, and into the first cell of
each lesson what it needs and where it stands on the short way. The minutes come from minutes.py.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tools.notebooks.minutes import LessonLoad
from tools.notebooks.notebook_files import WAY_LINE


@dataclass(frozen=True)
class Lesson:
    """A lesson: notebooks/NAME.ipynb, and its exercises in solutions/NAME and exercises/NAME."""

    name: str
    title: str
    able_to: str  # ends the sentence "You will be able to ..."
    question: str
    opening: str  # says what to see in the picture that its page opens with
    needs: dict[str, str] = field(default_factory=dict)  # numbers of lessons: what of each
    useful: dict[str, str] = field(default_factory=dict)  # the same, of what may be left out
    exercise_minutes: int | None = None  # None where it has no exercises

    @property
    def number(self) -> str:
        return self.name[:2]


@dataclass(frozen=True)
class Part:
    title: str
    lessons: tuple[Lesson, ...]


PARTS = (
    Part(
        "Start",
        (
            Lesson(
                "00_start_here",
                "Start here",
                "say whether the machine is ready, and watch a head that learned to spell "
                "backwards",
                "Is the machine ready, and where does it go from here?",
                "Two heads of a real language model read one sentence. A row is a word that "
                "looks, a column a word that it looks at.",
            ),
        ),
    ),
    Part(
        "I. Attention",
        (
            Lesson(
                "01_soft_lookup",
                "Attention as a soft look-up",
                "compute attention by hand, keep its softmax from overflowing, and say what "
                "temperature does",
                "How does a look-up turn into something that can learn?",
                "A query is compared with four keys. The better a key matches, the more of its "
                "value goes into the output.",
                exercise_minutes=60,
            ),
            Lesson(
                "02_single_head",
                "Single-head self-attention",
                "derive and measure the scale, test equivariance, and distrust an untrained map",
                "Why three projections, and why divide by a square root?",
                "One head: queries meet keys, the scores become weights, and these mix the values. "
                "Point at a cell.",
                {"01": "a query, keys, values"},
                exercise_minutes=80,
            ),
            Lesson(
                "03_many_heads",
                "Many heads",
                "say what several heads can do that one cannot, what they cannot, and why they "
                "differ at all",
                "What can eight heads do that one cannot, and what not?",
                "Two heads read the same words, each with queries, keys and values of its own. "
                "The shaded one is written out.",
                {"02": "a head, its class and how it learns"},
                exercise_minutes=85,
            ),
            Lesson(
                "04_heads_in_one_matrix",
                "Heads inside one matrix",
                "find the heads in one big matrix, tell a wrong reshape by what it breaks, and "
                "count what heads cost",
                "There is one big matrix: where are the heads?",
                "One matrix for each role holds both heads, and the split makes heads of its "
                "columns. Press “next”, or point at a cell.",
                {"02": "a head and its class", "03": "several heads"},
                exercise_minutes=115,
            ),
            Lesson(
                "05_causal_masking",
                "Causal masking",
                "hide the future, and prove with the leak test that it is hidden",
                "How does a model not see the future, and how do you prove it?",
                "The mask hides the scores of the future: their weights are exactly 0. Press "
                "“next”, or point at a cell.",
                {"01": "the softmax", "02": "how a module learns", "04": "heads in one matrix"},
                exercise_minutes=105,
            ),
        ),
    ),
    Part(
        "II. The transformer",
        (
            Lesson(
                "06_cross_attention",
                "Cross-attention and padding",
                "let one sequence ask another, and keep padding out of every answer",
                "What if the queries come from elsewhere, and some keys are nothing?",
                "The queries come from the text that is written, keys and values from the text "
                "that was read.",
                {"02": "equivariance", "04": "heads in one matrix", "05": "masks"},
                exercise_minutes=90,
            ),
            Lesson(
                "07_positions",
                "Positions",
                "say what positions add to a score, and measure which survive a longer text",
                "How does attention learn what comes first?",
                "There are two ways to say where a word stands: add a vector to it, or turn its "
                "queries and keys.",
                {"02": "equivariance", "05": "the causal mask"},
                exercise_minutes=70,
            ),
            Lesson(
                "08_transformer_block",
                "The transformer block",
                "build the block in both orders, say what each part is for, and count GPT-2 to "
                "the last parameter",
                "What stands around attention, and what is each part for?",
                "Attention and the network each read the stream, and add what they found to it. "
                "Press “next”, or point at a cell.",
                {"04": "heads in one matrix", "05": "the causal mask", "07": "positions"},
                exercise_minutes=85,
            ),
            Lesson(
                "09_encoder_decoder",
                "Encoder and decoder",
                "train a whole transformer that reads one sequence and writes another, and say "
                "what its maps prove",
                "How does it all work together, and what do its maps prove?",
                "The whole transformer: the encoder reads the source once, and at each step the "
                "decoder asks it.",
                {"06": "cross-attention and padding", "08": "the block"},
                exercise_minutes=75,
            ),
        ),
    ),
    Part(
        "III. What heads learn",
        (
            Lesson(
                "10_induction_heads",
                "Induction heads",
                "find the heads that repeat a text, with numbers, and break the model by taking "
                "them away",
                "Which heads repeat a text, and how do you show that it is these?",
                "The second “K” finds the place that says “after K”, and copies the “B” that "
                "stands there.",
                {
                    "04": "a layer is a sum over its heads",
                    "05": "the causal mask",
                    "07": "positions",
                    "08": "the stream",
                },
                exercise_minutes=65,
            ),
            Lesson(
                "11_evidence_for_heads",
                "Evidence for heads",
                "put a claim about a head on a ladder of evidence, and refuse the captions that "
                "stand on none",
                "Which claims about a head survive a control?",
                "Four kinds of evidence for one claim about a head, from below. What each leaves "
                "open is at its end.",
                {"03": "heads", "07": "positions", "10": "ablations"},
                {"08": "the block"},
                exercise_minutes=50,
            ),
        ),
    ),
    Part(
        "IV. Fast and many",
        (
            Lesson(
                "12_fast_attention",
                "Fast attention",
                "compute the same attention with far less memory, and say what makes it fast",
                "How can the same numbers cost less memory?",
                "A block of queries meets one block of keys at a time. Three small results are "
                "kept, and never the whole table.",
                {
                    "01": "why a softmax subtracts its maximum",
                    "04": "heads in one matrix",
                    "05": "masks",
                },
                exercise_minutes=145,
            ),
            Lesson(
                "13_cache_and_shared_heads",
                "The cache and shared heads",
                "write text without computing the past again, and count what heads that share "
                "keys save",
                "What must a model keep of the past, and what can heads share?",
                "To write one more word, only that word is computed. The keys and values of the "
                "past are kept.",
                {"04": "heads in one matrix", "05": "the causal mask", "07": "rotary positions"},
                exercise_minutes=105,
            ),
            Lesson(
                "14_bounded_memory",
                "Memory that does not grow",
                "say what windows, sinks and states keep of a text, what each loses, and how "
                "today's models mix them",
                "What can a model do with a memory that does not grow?",
                "What a model can keep of a text: all of it, a window with the first word, or a "
                "state of one size.",
                {"05": "the causal mask", "10": "look-ups in a text", "13": "the cache"},
                exercise_minutes=110,
            ),
            Lesson(
                "15_heads_across_devices",
                "Heads across devices",
                "divide heads among processes, and predict what they must send each other",
                "What does it mean that heads run in parallel?",
                "Each device computes one head from its own rows of the matrices. All that they "
                "exchange is a sum at the end.",
                {"04": "heads in one matrix", "12": "parts of a softmax, merged"},
                {"13": "shared key heads"},
                exercise_minutes=95,
            ),
        ),
    ),
    Part(
        "V. For real",
        (
            Lesson(
                "16_real_language_model",
                "A real language model",
                "run a real language model in your own attention, and ask of its heads what "
                "they do",
                "Does all this hold in a model that people use?",
                "All 270 heads of SmolLM2, a cell for each: those that continue a repeated text, "
                "and those that look one word back.",
                {
                    "04": "heads in one matrix",
                    "05": "the causal mask",
                    "07": "rotary positions",
                    "08": "the block",
                    "10": "scores and ablations",
                },
                {"11": "patching"},
                exercise_minutes=150,
            ),
            Lesson(
                "17_serving",
                "How a model answers a thousand people",
                "say what a server saves by pages, guesses and batches that change, and show that "
                "every answer stays the same",
                "How does one model answer many people at once?",
                "Three texts keep their past in one store of pages. Two of them begin alike, and "
                "share a page.",
                {"05": "the causal mask", "12": "bytes", "13": "the cache", "16": "SmolLM2"},
                exercise_minutes=115,
            ),
        ),
    ),
)

LESSONS = {lesson.number: lesson for part in PARTS for lesson in part.lessons}

# What one needs before the first lesson, and where the rest is learned.
NEEDED = "Python with its classes, NumPy (arrays, `axis`, `@`), and what $e^x$ and a slope are"
BRIDGE = "PyTorch comes with the lessons; lesson 02 has a bridge to it, of ten minutes."

# Each of these stands by itself on the way: what it takes from a lesson that is left out comes in
# two sentences and a line of code.
SHORT_WAY = ("01", "02", "04", "05", "08", "10", "13", "16")
MARK = "◆"  # of a lesson on the short way, in tables


HEADER = re.compile(r"You need: .*$", re.MULTILINE)


def write_header(text: str, lesson: Lesson) -> str:
    """Write into the text of a lesson's first cell what it needs, and its place on the short way.

    Raises:
        ValueError: the text does not say once what the lesson needs.
    """
    if len(HEADER.findall(text)) != 1:
        raise ValueError("the first cell needs one sentence that begins with `You need: `")
    parts = (what_a_lesson_needs(lesson), place_on_the_short_way(lesson))
    header = "\n\n".join(filter(None, parts))
    return HEADER.sub(lambda match: header, WAY_LINE.sub("", text))


def _listed(texts: list[str]) -> str:
    """Join with commas, and the last with "and"."""
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _with_numbers(lessons: dict[str, str]) -> str:
    named = [f"{number} ({what})" for number, what in lessons.items()]
    return f"lesson{'s' * (len(named) > 1)} {_listed(named)}"


def what_a_lesson_needs(lesson: Lesson) -> str:
    """Return what a lesson's first cell says of it, from "You need" on."""
    if lesson.number == "00":
        here = "some Python, and nothing installed beyond what opened this page"
        return f"You need: {here}. The lessons need {NEEDED}. {BRIDGE}"
    if not lesson.needs:
        return f"You need: {NEEDED}. {BRIDGE}"
    useful = lesson.useful
    more = f" Useful: {_with_numbers(useful)}." if useful else ""
    return f"You need: {_with_numbers(lesson.needs)}.{more}"


def place_on_the_short_way(lesson: Lesson) -> str:
    """Return what a lesson's first cell says of the short way; nothing for lesson 00."""
    if lesson.number == "00":
        return ""
    later = [number for number in SHORT_WAY if number > lesson.number]
    if lesson.number not in SHORT_WAY:
        goes_on = f"; it goes on with lesson {later[0]}" if later else ", which ends before it"
        return f"Not on the [short way](00_start_here.ipynb){goes_on}."
    text = f"On the [short way](00_start_here.ipynb), number {SHORT_WAY.index(lesson.number) + 1}"
    text += f" of {len(SHORT_WAY)}"
    if left_out := [number for number in lesson.needs if number not in SHORT_WAY]:
        text += f"; what it takes from lesson {_listed(left_out)} is said here again"
    return f"{text}. The next is lesson {later[0]}." if later else f"{text}."


def _hours(minutes: int) -> int:
    return round(minutes / 60)


def hours_of_all(loads: Mapping[str, LessonLoad]) -> tuple[int, int, int]:
    """Return the hours of all cores, of all that is under Deeper, and of all exercises."""
    core = sum(load.core.minutes for load in loads.values())
    deeper = sum(load.deeper.minutes for load in loads.values())
    exercises = sum(lesson.exercise_minutes or 0 for lesson in LESSONS.values())
    return _hours(core), _hours(deeper), _hours(exercises)


def short_way(loads: Mapping[str, LessonLoad], folder: str = "") -> str:
    """Return what the README and lesson 00 say of the short way, with links to its lessons."""
    lessons = [LESSONS[number] for number in SHORT_WAY]
    links = [f"[{lesson.number}]({folder}{lesson.name}.ipynb)" for lesson in lessons]
    cores = sum(loads[number].core.minutes for number in SHORT_WAY)
    exercises = sum(lesson.exercise_minutes or 0 for lesson in lessons)
    return (
        f"**The short way**, marked {MARK}, takes {_hours(cores)} hours, "
        f"{_hours(cores + exercises)} with exercises: the cores of lessons {_listed(links)}. Each "
        "stands by itself on that way: what it takes from a lesson that is left out, it says "
        "again.\n"
    )


def mark(lesson: Lesson) -> str:
    """Return what stands before a lesson in a table."""
    return f"{MARK} " if lesson.number in SHORT_WAY else ""


def readme_table(loads: Mapping[str, LessonLoad], colab_link: Callable[[str], str]) -> str:
    """Return the README's table of all lessons and the hours of all, with its links, if any.

    Args:
        loads: how long each lesson takes, by its number.
        colab_link: gives the link that opens a file of the repository in Colab, or nothing.
    """
    table = [["Lesson", "You will be able to", "Minutes: core + deeper", "Exercises", ""]]
    table.append(["---"] * 5)
    for part in PARTS:
        table.append([f"**{part.title}**", "", "", "", ""])
        for lesson in part.lessons:
            path = f"notebooks/{lesson.name}.ipynb"
            link = f"{mark(lesson)}[{lesson.number} {lesson.title}]({path})"
            minutes, exercises = loads[lesson.number].time, str(lesson.exercise_minutes or "")
            table.append([link, lesson.able_to, minutes, exercises, colab_link(path)])
    core, deeper, exercises = map(str, hours_of_all(loads))
    table.append(["**All, in hours**", "", f"**{core} + {deeper}**", f"**{exercises}**", ""])
    if not any(row[-1] for row in table[2:]):
        table = [row[:-1] for row in table]
    return "".join(f"| {' | '.join(row)} |\n" for row in table)


def map_table(loads: Mapping[str, LessonLoad]) -> str:
    """Return the map in lesson 00: the lessons after it, with links to them."""
    rows = ["| Lesson | The question | Minutes: core + deeper | Exercises | What it needs |"]
    rows.append("| --- | --- | --- | --- | --- |")
    for part in PARTS[1:]:
        rows.append(f"| **{part.title}** | | | | |")
        for lesson in part.lessons:
            link = f"{mark(lesson)}[{lesson.number} {lesson.title}]({lesson.name}.ipynb)"
            times = f"{loads[lesson.number].time} | {lesson.exercise_minutes or ''}"
            needs = ", ".join(lesson.needs) or NEEDED
            needs += f"; useful: {', '.join(lesson.useful)}" if lesson.useful else ""
            rows.append(f"| {link} | {lesson.question} | {times} | {needs} |")
    return "\n".join(rows) + "\n"


_NUMBERS = re.compile(r"\blessons?\s+(\d\d(?:(?:,| to|,? and|,? or)\s+\d\d\b)*)", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w.])(\d\d)_[a-z]\w*")
_TITLES = (
    re.compile(r"^# (?:Exercises )?(\d\d) · (.+)$", re.MULTILINE),  # of a notebook
    re.compile(r"^\| (\d\d) (?:· )?([^|]+?) \|", re.MULTILINE),  # a row of a table
    re.compile(r"(?<!!)\[(\d\d) (?:· )?([^\]]+)\]\("),  # the text of a link
    re.compile(r"(?<!!)\[lesson (\d\d)(?:,| ·) ([^\]]+)\]\(", re.IGNORECASE),
    re.compile(r"\blesson (\d\d),? [\"“]([^\"”]+)[\"”]", re.IGNORECASE),
)
_LINK = re.compile(r"\[(?:lesson )?(\d\d)\b[^\]]*\]\([\w./]*?(\d\d)_\w+\.ipynb", re.IGNORECASE)
EXAMPLE = "99"  # a lesson with this number is an example in a test
BY_TEACHERS = r"_(by_hand|rubric)$"  # ends the name of a teacher's own file for a lesson


def false_references(text: str) -> Iterator[str]:
    """Say what a text gets wrong about lessons: their numbers, their files and their titles."""
    for match in _NUMBERS.finditer(text):
        for number in re.findall(r"\d\d", match[1]):
            if number not in LESSONS:
                yield f"{match[0]!r}: the syllabus has no lesson {number}"
    names = {lesson.name for lesson in LESSONS.values()}
    for match in _NAME.finditer(text):
        if match[1] != EXAMPLE and re.sub(BY_TEACHERS, "", match[0]) not in names:
            yield f"{match[0]!r}: no lesson of the syllabus has this name"
    for match in _LINK.finditer(text):
        if match[1] != match[2]:
            yield f"{match[0]!r}: the link goes to another lesson than its text says"
    for pattern in _TITLES:
        for number, title in pattern.findall(text):
            if number not in LESSONS:
                yield f"{title!r}: the syllabus has no lesson {number}"
            elif title != LESSONS[number].title:
                yield f"{title!r}: the title of lesson {number} is {LESSONS[number].title!r}"
