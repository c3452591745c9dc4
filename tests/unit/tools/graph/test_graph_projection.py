"""What a note with all its versions says: its entity, its relations, its episodes."""

import string
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.values.note_graphs import (
    CREATED,
    PATH,
    SEEN,
    a_version,
    an_end,
    day,
    graph_of,
    only,
    resolve,
)
from tools.base.domain import InlineField, Link
from tools.graph.model import NoteGraph, note_id, unresolved_id
from tools.graph.projection import Successor, project, type_label
from tools.graph.versions import Version, date

SLEEP = Link(target="Sleep", line=3)


# --- one version ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "name", "strength", "fact"),
    [
        (Link(target="Sleep", line=7), "LINKS_TO", 0.6, "Late caffeine links to Sleep"),
        (Link(target="Sleep", line=7, embed=True), "EMBEDS", 0.7, "Late caffeine embeds Sleep"),
        (
            Link(target="Sleep", line=7, relation="leads to"),
            "LEADS_TO",
            0.9,
            "Late caffeine leads to Sleep",
        ),
        (
            Link(target="Sleep", line=7, relation="causedBy"),
            "CAUSED_BY",
            0.9,
            "Late caffeine is caused by Sleep",
        ),
        (
            Link(target="Sleep", line=7, relation="project"),
            "PROJECT",
            0.9,
            "Late caffeine has project Sleep",
        ),
    ],
)
def test_a_link_becomes_a_relation(link: Link, name: str, strength: float, fact: str) -> None:
    relation = only(graph_of(a_version(link)))

    assert (relation.name, relation.strength, relation.fact) == (name, strength, fact)
    assert (relation.note_path, relation.line) == (PATH, 7)
    assert (relation.source, relation.target) == (note_id(PATH), note_id("notes/Sleep.md"))
    assert (relation.valid_at, relation.created_at) == (CREATED, SEEN)
    assert (relation.invalid_at, relation.expired_at, relation.retracted_at) == (None, None, None)


def test_a_link_to_the_note_itself_says_nothing() -> None:
    links = (Link(target="", line=3), Link(target="Late caffeine", line=4))

    assert graph_of(a_version(*links)).relations == ()


def test_two_names_of_one_note_are_one_relation() -> None:
    links = (Link(target="Sleep", line=4), Link(target="notes/Sleep.md", line=9))

    assert only(graph_of(a_version(*links))).line == 4


def test_a_target_without_a_note_is_a_placeholder_by_its_folded_name() -> None:
    first = graph_of(a_version(Link(target="IĞDIR Gezisi", line=1)))
    second = graph_of(a_version(Link(target="ığdır  gezisi.md", line=2)))

    (entity,) = first.others
    assert (entity.kind, entity.path, entity.name) == ("unresolved", None, "IĞDIR Gezisi")
    assert only(first).target == only(second).target == unresolved_id("igdir gezisi")


def test_entities_that_links_name_are_stubs_until_they_are_indexed() -> None:
    (stub,) = graph_of(a_version(SLEEP)).others

    assert (stub.path, stub.name, stub.content_hash) == ("notes/Sleep.md", "Sleep", None)


def test_tags_are_entities() -> None:
    note = graph_of(a_version(text="Tea.\n\n#Sleep", tags=("Sleep",)))

    assert only(note).fact == "Late caffeine is tagged #Sleep"
    assert [(other.kind, other.labels) for other in note.others] == [("tag", ("Entity", "Tag"))]
    assert only(note).target == only(graph_of(a_version(tags=("sleep",)))).target


@pytest.mark.parametrize(
    ("value", "kind", "labels"),
    [("done", "value", ("Entity", "Literal")), ("Sleep", "note", ("Entity", "Note"))],
)
def test_a_plain_value_is_the_note_of_that_name_or_a_value(
    value: str, kind: str, labels: tuple[str, ...]
) -> None:
    note = graph_of(a_version(fields=(InlineField(key="status", value=value, line=4),)))

    (other,) = note.others
    assert (other.kind, other.labels) == (kind, labels)
    assert only(note).fact == f"Late caffeine has status {value}"


@pytest.mark.parametrize(
    ("note_type", "label"),
    [
        ("person", "Person"),
        ("core belief", "CoreBelief"),
        ("Kişi", "Kisi"),
        ("bıçak", "Bicak"),
        ("2nd thing", None),
        ("tag", None),
        ("Unresolved", None),
        ("кот", None),
        ("x) DETACH DELETE (n", "XDETACHDELETEN"),
        ("meeting about the plan " * 30, None),
        (None, None),
    ],
)
def test_a_type_becomes_a_safe_label(note_type: str | None, label: str | None) -> None:
    assert type_label(note_type) == label


@given(st.text())
def test_any_type_gives_a_safe_label(text: str) -> None:
    label = type_label(text)
    safe = set(string.ascii_letters + string.digits)

    assert label is None or (set(label) <= safe and label[0].isalpha())


def test_the_note_is_an_entity_of_its_latest_text() -> None:
    entity = graph_of(
        a_version(note_type="idea", building_block="thought"),
        a_version(on=5, note_type="concept", title="A new title"),
    ).entity

    assert (entity.name, entity.note_type) == ("A new title", "concept")
    assert (entity.building_block, entity.content_hash) == (None, "day 5")
    assert entity.labels == ("Entity", "Note", "Concept")
    assert (entity.path, entity.created_at) == (PATH, SEEN)
    assert (entity.created, entity.modified) == (CREATED, day(5))


def test_a_note_that_is_gone_keeps_its_title_and_is_none_of_today() -> None:
    entity = graph_of(a_version(title="Tea", note_type="idea"), an_end(on=5)).entity

    assert (entity.name, entity.note_type, entity.content_hash) == ("Tea", "idea", None)


def test_the_dates_of_relations_and_episodes_are_utc() -> None:
    moscow = timezone(timedelta(hours=3))
    note = graph_of(a_version(SLEEP, stated_created=datetime(2024, 1, 1, 1, tzinfo=moscow)))

    assert str(only(note).valid_at) == "2023-12-31 22:00:00+00:00"
    assert str(note.episodes[0].valid_at) == "2023-12-31 22:00:00+00:00"


def test_an_episode_is_short_and_one_per_version() -> None:
    text = "---\nsecret: front\n---\n" + "word " * 1000
    note = graph_of(a_version(text=text, body_line=4), a_version(on=3), an_end(on=9))

    first, second, end = note.episodes
    assert len({first.uuid, second.uuid, end.uuid}) == 3
    assert first.content.startswith("Late caffeine\nword")
    assert len(first.content) < 320
    assert "secret" not in first.content
    assert (first.valid_at, first.created_at, first.path) == (CREATED, SEEN, PATH)
    assert (second.valid_at, second.created_at) == (day(3), day(3))
    assert (end.content, end.content_hash, end.created_at) == ("", None, day(9))


def test_a_text_that_comes_back_is_another_episode() -> None:
    first = a_version()
    back = replace(first, key=3, at=day(8))

    note = graph_of(first, a_version(on=4), back)

    assert len({episode.uuid for episode in note.episodes}) == 3


@given(st.text(alphabet=st.characters(), max_size=20), st.text(alphabet=st.characters()))
def test_any_text_projects(target: str, title: str) -> None:
    link = Link(target=f"x{target}\ud800\0", line=1)
    version = a_version(link, title=title, path="a\udc80.md")

    note = project("a\udc80.md", date([version]), resolve=resolve)

    assert len(note.relations) == 1


# --- several versions ----------------------------------------------------------------------


def test_a_dropped_link_is_closed_at_the_change_and_kept() -> None:
    closed = only(graph_of(a_version(SLEEP), a_version(on=30)))

    assert (closed.valid_at, closed.invalid_at) == (CREATED, day(30))
    assert (closed.created_at, closed.expired_at) == (SEEN, day(30))


def test_a_link_of_a_later_version_holds_from_that_version_on() -> None:
    changed = datetime(2024, 6, 1, tzinfo=UTC)

    opened = only(graph_of(a_version(), a_version(SLEEP, on=30, stated_modified=changed)))

    assert (opened.valid_at, opened.created_at) == (changed, day(30))


def test_a_link_that_comes_back_opens_a_new_interval() -> None:
    note = graph_of(a_version(SLEEP), a_version(on=3), a_version(SLEEP, on=6))

    first, second = note.relations
    assert (first.interval, second.interval) == (0, 1)
    assert first.uuid != second.uuid
    assert (second.valid_at, second.invalid_at) == (day(6), None)


def test_a_relation_stands_where_the_latest_version_that_says_it_has_it() -> None:
    note = graph_of(
        a_version(Link(target="Sleep", line=3), title="Coffee"),
        a_version(Link(target="Sleep", line=9), on=3, title="Tea", path="Tea.md"),
        a_version(on=6),
    )

    relation = only(note)
    assert (relation.note_path, relation.line) == ("Tea.md", 9)
    assert relation.fact.startswith("Tea ")
    assert (relation.valid_at, relation.created_at) == (CREATED, SEEN)
    assert relation.episode == note.episodes[0].uuid


def test_a_closed_interval_keeps_its_line_when_the_link_comes_back_elsewhere() -> None:
    note = graph_of(
        a_version(Link(target="Sleep", line=3)),
        a_version(on=3),
        a_version(Link(target="Sleep", line=9), on=6),
    )

    assert [relation.line for relation in note.relations] == [3, 9]
    assert [relation.episode for relation in note.relations] == [
        note.episodes[0].uuid,
        note.episodes[2].uuid,
    ]


def test_words_that_lead_elsewhere_lead_there_from_the_start() -> None:
    versions = (a_version(Link(target="Rest", line=3)), a_version(on=9))

    after = only(graph_of(*versions, resolve={"Rest": "notes/Rest.md"}.get))

    assert after.target == note_id("notes/Rest.md")
    assert (after.valid_at, after.created_at, after.expired_at) == (CREATED, SEEN, day(9))


def test_a_note_that_takes_a_name_it_links_to_does_not_link_to_itself() -> None:
    assert graph_of(a_version(Link(target="Tea", line=3)), resolve={"Tea": PATH}.get) == graph_of(
        a_version()
    )


def test_a_corrected_creation_date_moves_what_held_from_the_start() -> None:
    earlier = datetime(2020, 1, 1, tzinfo=UTC)

    before, after = graph_of(
        a_version(SLEEP), a_version(SLEEP, on=3, stated_created=earlier)
    ).relations

    assert (before.valid_at, before.expired_at) == (CREATED, day(3))
    assert (after.valid_at, after.created_at, after.invalid_at) == (earlier, day(3), None)


def test_a_note_that_ends_says_nothing_more() -> None:
    ended = only(graph_of(a_version(SLEEP), an_end(on=7)))

    assert (ended.invalid_at, ended.expired_at) == (day(7), day(7))


# --- who takes whose place -----------------------------------------------------------------


def a_successor(*, on: float, says: bool = True, path: str = "New.md") -> Version:
    links = (Link(target="Late caffeine", line=1, relation="supersedes"),) if says else ()
    return a_version(*links, on=on, path=path, stated_created=day(on))


def superseded_by(*versions: Version) -> Successor:
    return Successor(path=versions[0].path, versions=tuple(date(versions)))


def test_what_a_superseded_note_says_ends_where_its_successor_begins() -> None:
    note = graph_of(a_version(SLEEP), successors=[superseded_by(a_successor(on=20))])

    assert note.entity.superseded_by == "New.md"
    assert (only(note).invalid_at, only(note).expired_at) == (day(20), day(20))


def test_a_successor_that_takes_it_back_supersedes_no_more() -> None:
    taken_back = superseded_by(a_successor(on=20), a_successor(on=30, says=False))

    note = graph_of(a_version(SLEEP), successors=[taken_back])

    assert note.entity.superseded_by is None
    assert [(r.valid_at, r.invalid_at) for r in note.relations][-1] == (day(30), None)


def test_a_note_that_names_its_successor_says_only_that() -> None:
    named = Link(target="Sleep", line=4, relation="superseded by")

    note = graph_of(a_version(SLEEP), a_version(SLEEP, named, on=8))

    assert note.entity.superseded_by == "notes/Sleep.md"
    held = {relation.name for relation in note.relations if relation.expired_at is None}
    assert held == {"SUPERSEDED_BY"}


# --- again ---------------------------------------------------------------------------------

texts = st.lists(st.sampled_from(["Sleep", "Nowhere", "Rest"]), max_size=3).map(
    lambda names: tuple(Link(target=name, line=line) for line, name in enumerate(names, 1))
)
dates = st.one_of(st.none(), st.integers(0, 40).map(day))


@st.composite
def histories(draw: st.DrawFn) -> list[Version]:
    days = sorted(draw(st.lists(st.integers(0, 30), min_size=1, max_size=5)))
    return [
        a_version(*draw(texts), on=on, stated_modified=draw(dates))
        if at == 0 or draw(st.integers(0, 4))
        else an_end(on=on)
        for at, on in enumerate(days)
    ]


@settings(deadline=None)
@given(histories())
def test_the_same_versions_make_the_same_graph(versions: list[Version]) -> None:
    assert graph_of(*versions) == graph_of(*versions)
    assert graph_of(*versions).entity.digest is not None


@settings(deadline=None)
@given(histories())
def test_another_version_is_another_state(versions: list[Version]) -> None:
    assert graph_of(*versions).entity.digest != graph_of(*versions, a_version(on=50)).entity.digest


def opened(note: NoteGraph) -> dict[str, tuple[datetime, datetime]]:
    return {relation.uuid: (relation.valid_at, relation.created_at) for relation in note.relations}


@settings(deadline=None)
@given(histories(), texts, dates)
def test_one_more_version_only_closes_and_adds(
    versions: list[Version], links: tuple[Link, ...], modified: datetime | None
) -> None:
    before = graph_of(*versions)
    after = graph_of(*versions, a_version(*links, on=40, stated_modified=modified))

    assert opened(before).items() <= opened(after).items()
    ended = {r.uuid: (r.invalid_at, r.expired_at) for r in before.relations if r.expired_at}
    assert ended.items() <= {r.uuid: (r.invalid_at, r.expired_at) for r in after.relations}.items()
    assert {episode.uuid for episode in before.episodes} < {e.uuid for e in after.episodes}
