"""The site's pages ask for two files, and for nothing that they do not use."""

import re

import pytest

from tools.site import shell

PAGE = """<html data-content_root="../" data-theme="auto"><head><noscript></noscript>
<link rel="stylesheet" href="../_static/basic.css?v=1" />
<link href="../_static/styles/pydata-sphinx-theme.css?digest=2" rel="stylesheet" />
<link rel="preload" as="script" href="../_static/scripts/bootstrap.js?digest=2" />
<script src="../_static/documentation_options.js?v=3"></script>
<script src="../_static/doctools.js?v=4"></script>
<script defer src="../_static/scripts/fontawesome.js?digest=2"></script>
<script src="../_static/searchtools.js"></script>
<script src="../searchindex.js"></script>
<link rel="icon" href="../_static/mark.svg"/>
</head><body>{}</body></html>"""


@pytest.fixture
def static(tmp_path):
    for name in (*shell.STYLES, *shell.SCRIPTS, shell.OPTIONS, "mark.svg"):
        path = tmp_path / name.replace("*", "hash")
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"/* {name} */" if name in shell.STYLES else f"// {name}")
    return tmp_path


def test_a_page_asks_for_one_style_sheet_and_one_script(static):
    page = shell.light(PAGE.format(""), static)
    assert re.findall(r'rel="stylesheet" href="([^"]*)"', page) == [f"../{shell.STYLE}"]
    assert re.findall(r'src="([^"]*)"', page) == [f"../{shell.SCRIPT}"]
    assert "preload" not in page and 'href="data:image/svg+xml;base64,' in page
    assert f"// {shell.OPTIONS}" in page  # what the shell's script reads stands in the page


def test_a_page_keeps_its_own_script_and_a_button_for_contents_that_it_has(static):
    page = shell.light(PAGE.format('<script src="../_static/breaker/page.js"></script>'), static)
    assert '<script defer src="../_static/breaker/page.js">' in page  # no page waits for it
    button = '<button class="secondary-toggle" title="Toggle secondary sidebar">\n</button>'
    assert "button" not in shell.light(PAGE.format(button), static)
    page = shell.light(PAGE.format(f'{button}<div class="bd-sidebar-secondary">'), static)
    assert 'title="Contents"' in page


def test_icons_stand_in_the_page_and_an_unknown_one_is_named(static):
    page = shell.light(PAGE.format('<i class="fa-solid fa-list" data-mode="x"></i>'), static)
    assert re.search(r'<svg class="icon fa-solid fa-list" data-mode="x"[^>]*aria-hidden', page)
    with pytest.raises(ValueError, match="no icon for .*fa-rocket"):
        shell.light(PAGE.format('<span class="fa-solid fa-rocket"></span>'), static)


def test_the_shell_is_made_of_the_files_in_their_order(static):
    files = {path.as_posix(): text for path, text in shell.shell_files([static], set()).items()}
    assert re.findall(r"// (\S+)", files[shell.SCRIPT]) == list(shell.SCRIPTS)
    (static / shell.SCRIPTS[0]).unlink()
    with pytest.raises(FileNotFoundError, match=shell.SCRIPTS[0]):
        shell.shell_files([static], set())


@pytest.mark.parametrize(
    "style, kept",
    [
        (".used{a:b}.other{c:d}", ".used{a:b}"),
        (".used,.other p{a:b}", ".used{a:b}"),
        ("p,.other{a:b}", "p{a:b}"),
        (".used:not(.other){a:b}", ".used:not(.other){a:b}"),
        (".used:has(.used) p,.used p{a:b}", ""),
        ("@media print{.other{a:b}}", ""),
        ("@media print{.used{a:b}}", "@media print{.used{a:b}}"),
        (":root{--x:1}@font-face{src:url(x)}", ":root{--x:1}"),
        ("@keyframes x{from{a:b}50.5%{c:d}}", "@keyframes x{from{a:b}50.5%{c:d}}"),
    ],
)
def test_rules_that_can_never_apply_are_left_out(style, kept):
    assert shell.used_rules(style, shell.words_of(['<p class="used">'])) == kept
