"""The heading of a section that is made for a link."""

import pytest

from tools.base.errors import InputError
from tools.vault.editing.insertions import inserted
from tools.vault.editing.places import InSection, NewLink, insertions

RAW = b"# A\n\nText.\n\n## Kept\n\nMore.\n"
LINK = NewLink(name="B", relation="supports")


@pytest.mark.parametrize("heading", ["", "  ", "x\n\nmore text", "x\ry", "x\u2028y", "```\n"])
def test_a_heading_that_is_not_one_line_of_words_is_refused(heading: str) -> None:
    with pytest.raises(InputError):
        insertions("A.md", RAW, LINK, InSection(heading=heading))


def test_a_section_is_made_where_it_is_missing_and_found_where_it_is_there() -> None:
    made = inserted(RAW, insertions("A.md", RAW, LINK, InSection(heading="See also")))
    assert made == RAW + b"\n## See also\n\n- supports:: [[B]]\n"
    found = inserted(RAW, insertions("A.md", RAW, LINK, InSection(heading="kept")))
    assert found == RAW + b"\n- supports:: [[B]]\n"
