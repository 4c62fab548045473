"""A class of thirty as Moodle hands it to a teacher: the zip of submissions, and the worksheet.

Answers are those that the course ships, written by people who had not seen the checks. Run by
itself it writes both files into a folder, to walk from the download to the upload:
`PYTHONPATH=. python grading/tests/moodle_class.py FOLDER`.
"""

import csv
import io
import random
import re
import sys
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import nbformat

from tools.checks.shipped_answers import answers_to

ROOT = Path(__file__).resolve().parent.parent.parent
TOPIC = "02_single_head"
DUE = datetime(2026, 11, 20, 23, 59)
FIRST = ("Anna", "Ben", "Chloé", "David", "Emil", "Fatima", "Güneş", "Hana")
FIRST += ("Ivan", "José", "Kim", "Lena", "Mia", "Noël", "Olga")
LAST = ["Ahn", "Bo", "O'Neil", "van der Berg", "Smith-Jones"]
# By place in the class: what is special about whom. The others hand in on time.
MISSING, LATE, HALF_DONE = (4, 19), {7: 5, 12: 30, 23: 80}, (2, 9, 16, 25)
SYNTAX_ERROR, PDF, NOT_JSON = 10, 21, 27
COPIED = {18: 3}  # with other names for the variables
NEW_NAMES = {"x": "tokens", "pieces": "parts", "matrix": "w", "first": "a", "table": "t"}
# A right answer that nobody else writes.
OWN = """def single_head(x, w_query, w_key, w_value):
    pieces = []
    for matrix in [w_query, w_key, w_value]:
        pieces.append(torch.tensordot(x, matrix, dims=([-1], [1])))
    first, second, third = pieces
    table = torch.stack([(first * row.unsqueeze(-2)).sum(-1) for row in second.unbind(-2)], -1)
    table = table.div(len(w_query) ** 0.5).softmax(-1)
    return table.matmul(third), table
"""


def name_of(number: int) -> str:
    return f"{FIRST[number % len(FIRST)]} {LAST[number % len(LAST)]}"


def submissions(seed: int = 0) -> dict[int, tuple[str, bytes, datetime]]:
    """By number of the student: file name, content and when it was handed in."""
    draw = random.Random(seed)
    notebooks = {number: _answered(number, draw) for number in range(30)}
    for copy, original in COPIED.items():
        notebooks[copy] = _renamed(notebooks[original])
    handed_in = {}
    for number, notebook in notebooks.items():
        name, content = f"{TOPIC}.ipynb", nbformat.writes(notebook).encode()
        if number == PDF:
            name, content = "answers.pdf", b"%PDF-1.4"
        if number == NOT_JSON:
            content = content[: len(content) // 2]
        if number not in MISSING:
            when = DUE + timedelta(hours=LATE.get(number, -1 - number))
            handed_in[number] = (name, content, when)
    return handed_in


def _answered(number: int, draw: random.Random) -> nbformat.NotebookNode:
    path = ROOT / "exercises" / TOPIC / f"{TOPIC}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    answers = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    done = answers[:2] if number in HALF_DONE else answers
    for cell in done:
        is_right = draw.random() < 0.6
        cell.source = draw.choice(_shipped(cell.metadata.nbgrader.grade_id, is_right))
        if number in COPIED.values() and cell.metadata.nbgrader.grade_id == "single_head":
            cell.source = OWN
    if number == SYNTAX_ERROR:
        answers[1].source = answers[1].source.replace("):", ")", 1)
    return notebook


def _shipped(exercise: str, is_right: bool) -> list[str]:
    texts = [each.as_handed_in() for each in answers_to(exercise) if each.is_right == is_right]
    return [text.strip() for text in texts if "course_lib" not in text]


def _renamed(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            for old, new in NEW_NAMES.items():
                cell.source = re.sub(rf"\b{old}\b", new, cell.source)
    return copy


def moodle_zip(seed: int = 0) -> bytes:
    """What "Download all submissions" gives; each file carries the time of its upload."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content, when) in submissions(seed).items():
            folder = f"{name_of(number)}_{4100 + number}_assignsubmission_file_"
            about = zipfile.ZipInfo(f"{folder}/{name}", when.timetuple()[:6])
            about.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about, content)
    return packed.getvalue()


def moodle_worksheet(seed: int = 0) -> str:
    """The grading worksheet, with the columns that Moodle documents."""
    text = io.StringIO()
    columns = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
    columns += ["Grade can be changed", "Last modified (submission)", "Last modified (grade)"]
    table = csv.writer(text)
    table.writerow([*columns, "Feedback comments"])
    handed_in = submissions(seed)
    for number in range(30):
        when = handed_in[number][2] if number in handed_in else None
        shown = f"{when:%A, %d %B %Y, %I:%M %p}" if when else "-"
        status = "Submitted for grading" if when else "No submission"
        mail = f"s{number}@example.org"
        row = [f"Participant {4100 + number}", name_of(number), mail, status, "", "28.00", "Yes"]
        table.writerow([*row, shown, "-", ""])
    return text.getvalue()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "submissions.zip").write_bytes(moodle_zip())
    (folder / "Grades-attention.csv").write_text("\ufeff" + moodle_worksheet(), encoding="utf-8")
