"""What a run of a notebook hands over for the course's site, where ``LIVE_PAGES`` is set.

It stands in the metadata of an output: ``LIVE_PAGE``, a widget that works without Python, and
``WHOLE_FIGURE``, a figure itself, which the site draws once more for a narrow page.
"""

LIVE_PAGES = "COURSE_LIVE_PAGES"
LIVE_PAGE = "course_live_page"
WHOLE_FIGURE = "course_whole_figure"
