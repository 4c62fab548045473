"""Where nbgrader finds the course: solutions/ is the source, exercises/ is what students get."""

c = get_config()  # noqa: F821  (nbgrader defines it)

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
