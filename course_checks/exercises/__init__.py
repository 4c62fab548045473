"""The exercises, a folder for each topic: NAME.py is the check, NAME_answers.py its answers.

A module that defines EXERCISE is an exercise: ``course_checks`` looks for these, and no list names
them. Its docstring begins with where it stands, "Lesson 02, exercise 6: ...". Modules of another
name help those beside them.
"""
