def check_with_references(exercise, borrowed):
    """Runs in the student's kernel: checks an answer while some functions are the course's own.

    Returns the check's Result. The notebook's own functions are back afterwards.
    """
    from IPython import get_ipython

    import course_checks as checks

    names = get_ipython().user_ns
    answer, own = names[exercise], dict(names)
    for name in borrowed:
        same = [one for one in own if own[one] is own.get(name, own)]  # it may have other names
        names.update(dict.fromkeys([name, *same], checks.ALL[name].exercise.reference))
    try:
        return checks.ALL[exercise](answer)
    finally:
        for name in borrowed:
            names.pop(name, None)
        names.update(own)
