"""The syllabus: the parts of the course and their lessons, and what a text says about them.

The README's table and the map in lesson 00 are written from here by `make links`, and the minutes
of the lessons from minutes.py.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tools.notebooks.minutes import LessonLoad


@dataclass(frozen=True)
class Lesson:
    """A lesson: notebooks/NAME.ipynb, and its exercises in solutions/NAME and exercises/NAME."""

    name: str
    title: str
    able_to: str  # ends the sentence "You will be able to ..."
    question: str
    needs: str = ""
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
                "some Python",
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
                "Python with NumPy, what e^x and a slope are",
                60,
            ),
            Lesson(
                "02_single_head",
                "Single-head self-attention",
                "derive and measure the scale, test equivariance, and distrust an untrained map",
                "Why three projections, and why divide by a square root?",
                "01",
                80,
            ),
            Lesson(
                "03_many_heads",
                "Many heads",
                "say what several heads can do that one cannot, what they cannot, and why they "
                "differ at all",
                "What can eight heads do that one cannot, and what not?",
                "02",
                85,
            ),
            Lesson(
                "04_heads_in_one_matrix",
                "Heads inside one matrix",
                "find the heads in one big matrix, tell a wrong reshape by what it breaks, and "
                "count what heads cost",
                "There is one big matrix: where are the heads?",
                "03",
                115,
            ),
            Lesson(
                "05_causal_masking",
                "Causal masking",
                "hide the future, and prove with the leak test that it is hidden",
                "How does a model not see the future, and how do you prove it?",
                "01 to 04",
                105,
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
                "04, 05",
                90,
            ),
            Lesson(
                "07_positions",
                "Positions",
                "say what positions add to a score, and measure which survive a longer text",
                "How does attention learn what comes first?",
                "02, 05",
                90,
            ),
            Lesson(
                "08_transformer_block",
                "The transformer block",
                "build the block in both orders, say what each part is for, and count GPT-2 to "
                "the last parameter",
                "What stands around attention, and what is each part for?",
                "04, 05, 07",
                85,
            ),
            Lesson(
                "09_encoder_decoder",
                "Encoder and decoder",
                "train a whole transformer that reads one sequence and writes another, and say "
                "what its maps prove",
                "How does it all work together, and what do its maps prove?",
                "06, 08",
                100,
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
                "04, 05, 07, 08",
                65,
            ),
            Lesson(
                "11_evidence_for_heads",
                "Evidence for heads",
                "put a claim about a head on a ladder of evidence, and refuse the captions that "
                "stand on none",
                "Which claims about a head survive a control?",
                "03, 07, 10; 08 is useful",
                50,
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
                "01, 04, 05",
                145,
            ),
            Lesson(
                "13_cache_and_shared_heads",
                "The cache and shared heads",
                "write text without computing the past again, and count what heads that share "
                "keys save",
                "What must a model keep of the past, and what can heads share?",
                "04, 05, 07",
                105,
            ),
            Lesson(
                "14_bounded_memory",
                "Memory that does not grow",
                "say what windows, sinks and states keep of a text, what each loses, and how "
                "today's models mix them",
                "What can a model do with a memory that does not grow?",
                "05, 10, 13",
                110,
            ),
            Lesson(
                "15_heads_across_devices",
                "Heads across devices",
                "divide heads among processes, and predict what they must send each other",
                "What does it mean that heads run in parallel?",
                "04, 12; 13 is useful",
                95,
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
                "04, 05, 07, 08, 10; 11 for what is under Deeper",
                150,
            ),
            Lesson(
                "17_serving",
                "How a model answers a thousand people",
                "say what a server saves by pages, guesses and batches that change, and show that "
                "every answer stays the same",
                "How does one model answer many people at once?",
                "05, 12, 13, 16",
                115,
            ),
        ),
    ),
)

LESSONS = {lesson.number: lesson for part in PARTS for lesson in part.lessons}


def _minutes(lesson: Lesson, loads: Mapping[str, LessonLoad]) -> str:
    """Return two columns of a table: the minutes of the lesson, and of its exercises."""
    return f"{loads[lesson.number].time} | {lesson.exercise_minutes or ''}"


def readme_table(loads: Mapping[str, LessonLoad], colab_link: Callable[[str], str]) -> str:
    """Return the README's table of all lessons, with a link to each in Colab, and the hours of all.

    Args:
        loads: how long each lesson takes, by its number.
        colab_link: gives the link that opens a file of the repository in Colab.
    """
    rows = ["| Lesson | You will be able to | Minutes: core + deeper | Exercises | |"]
    rows.append("| --- | --- | --- | --- | --- |")
    for part in PARTS:
        rows.append(f"| **{part.title}** | | | | |")
        for lesson in part.lessons:
            path = f"notebooks/{lesson.name}.ipynb"
            link = f"[{lesson.number} {lesson.title}]({path})"
            times = _minutes(lesson, loads)
            rows.append(f"| {link} | {lesson.able_to} | {times} | {colab_link(path)} |")
    core = round(sum(load.core.minutes for load in loads.values()) / 60)
    deeper = round(sum(load.deeper.minutes for load in loads.values()) / 60)
    exercises = round(sum(lesson.exercise_minutes or 0 for lesson in LESSONS.values()) / 60)
    rows.append(f"| **All, in hours** | | **{core} + {deeper}** | **{exercises}** | |")
    return "\n".join(rows) + "\n"


def map_table(loads: Mapping[str, LessonLoad]) -> str:
    """Return the map in lesson 00: the lessons after it, with links to them."""
    rows = ["| Lesson | The question | Minutes: core + deeper | Exercises | What it needs |"]
    rows.append("| --- | --- | --- | --- | --- |")
    for part in PARTS[1:]:
        rows.append(f"| **{part.title}** | | | | |")
        for lesson in part.lessons:
            link = f"[{lesson.number} {lesson.title}]({lesson.name}.ipynb)"
            times = _minutes(lesson, loads)
            rows.append(f"| {link} | {lesson.question} | {times} | {lesson.needs} |")
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
