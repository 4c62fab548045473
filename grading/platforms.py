"""How learning platforms call what they pack for the teacher."""

import re
import unicodedata

# The number is the student's in both; the second number of Canvas belongs to the file.
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+(_.*)?", re.DOTALL)
CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<id>\d{3,})_\d{3,}_.+", re.DOTALL)


def student_in(name: str) -> str:
    """The student to whom a download's file or folder belongs: the name and the platform's number.

    Any other name is returned as it is.
    """
    parts = MOODLE.fullmatch(name) or CANVAS.fullmatch(name)
    return f"{parts['name']}_{parts['id']}" if parts else name


def person(student: str) -> str:
    """The name as people write it, without a platform's number."""
    return re.sub(r"(?<=\D)_\d+$", "", student)


def is_called(student: str, written: str) -> bool:
    """Whether a person who wrote that means this student: by the whole, the name or the number."""
    name, number = person(student), student.rpartition("_")[2]
    parts = (student, name, number) if name != student else (student,)
    return same_letters(written.strip()) in map(same_letters, parts)


def same_letters(name: str) -> str:
    """The name for a comparison: systems store an accented letter as one sign or two."""
    return unicodedata.normalize("NFC", name).casefold()
