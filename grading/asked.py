def asked(number):
    """Runs in the student's kernel after the last cell: what was noted, signed (watch.py)."""
    import sys

    answer: list[str] = []
    sys.audit("grader.asked", number, answer)
    return answer[0]
