"""Reasons and hints name evidence as people know it; its number in the dossier stays in `evidence`."""

import re

import pytest

from messaging.verification.batch import Case, Unmatched, cases, check, dossiers, records
from messaging.verification.facts import Fact
from messaging.verification.naming import called, dated, named, opening, when
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Actor, Evidence, Kind

from .cases import GOLD, report

DAY, MONTH, YEAR = partial_date("2026-11-27"), partial_date("2026-03"), partial_date("2024")


def _item(of: Kind, /, text: str = "", occurred: DateInterval | None = None, **fields: str) -> Evidence:
    return Evidence("7", of, Actor.PROSPECT, text, fields, occurred)


@pytest.mark.parametrize(
    ("item", "name"),
    [
        (_item(Kind.POST, "Doors first.", DAY), "the post of 27 Nov 2026"),
        (_item(Kind.POST, "Doors first."), "the post “Doors first.”"),
        (_item(Kind.COMMENT, "Yes.", MONTH), "the comment of Mar 2026"),
        (_item(Kind.RESHARE, "Look.", YEAR), "the shared post of 2024"),
        (_item(Kind.COMPANY_NEWS, "Round closed", partial_date("2026-10-03")), "the news of 3 Oct 2026"),
        (_item(Kind.COMPANY_NEWS, "Round closed\nMuch text", title="Round closed"), "the news “Round closed”"),
        (_item(Kind.POSITION, title="Head of Platform", company="Brightloom"),
         "the position Head of Platform at Brightloom"),
        (_item(Kind.POSITION, title="Head of Platform"), "the position Head of Platform"),
        (_item(Kind.EDUCATION, school="TU Delft", degree="MSc"), "the degree MSc at TU Delft"),
        (_item(Kind.EDUCATION, school="TU Delft"), "the education at TU Delft"),
        (_item(Kind.TALK, title="Quiet pagers"), "the talk “Quiet pagers”"),
        (_item(Kind.TALK, title="Long " * 40), "the talk “Long Long Long Long Long Long Long Long Long Long Long Long…”"),
        (_item(Kind.COLLEAGUE, full_name="Mia Sund"), "the record of Mia Sund"),
        (_item(Kind.IN_COMMON, kind="mutual_connection", full_name="Mia Sund"), "the mutual connection Mia Sund"),
        (_item(Kind.IN_COMMON, kind="school", name="TU Delft"), "the shared school TU Delft"),
        (_item(Kind.COMPANY_FACT, attribute="size"), "the company's size"),
        (_item(Kind.PROOF_POINT, "Installed in a day."), "the sender's proof point “Installed in a day.”"),
        (_item(Kind.INDUSTRY_NOTE, industry="Fintech"), "the note on the industry Fintech"),
    ],
)  # fmt: skip
def test_evidence_is_called_what_people_call_it(item: Evidence, name: str) -> None:
    assert called(item) == name


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_name_without_its_number(kind: Kind) -> None:
    name = called(_item(kind, "words"))
    assert name
    assert "7" not in name


def test_a_name_opens_a_sentence_and_is_worked_out_once() -> None:
    fact = Fact(_item(Kind.POST, "Doors first.", DAY), (), frozenset(), (), (), frozenset())
    assert opening(fact) == "The post of 27 Nov 2026"
    assert named(fact) is named(fact)
    assert dated(fact) == "the post of 27 Nov 2026"


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (_item(Kind.POST), "undated"),
        (_item(Kind.POST, "", DAY), "27 Nov 2026"),
        (_item(Kind.AWARD, "", YEAR), "2024"),
        (_item(Kind.POSITION, "", MONTH, start="2026-03"), "Mar 2026 to today"),
        (_item(Kind.POSITION, "", YEAR, start="2024", end="2026-03-05"), "2024 to 5 Mar 2026"),
    ],
)
def test_dates_are_told_as_finely_as_recorded(item: Evidence, words: str) -> None:
    assert when(item) == words


def test_no_reason_or_hint_of_the_labelled_set_shows_a_number_of_the_dossier() -> None:
    known = dossiers(records((GOLD / "dossiers.jsonl").read_bytes(), "dossiers"), "dossiers")
    listed = records((GOLD / "messages.jsonl").read_bytes(), "messages")
    shown = []
    for case in cases([record for record in listed if record.value["language"] == "en"], known, "messages"):
        assert not isinstance(case, Unmatched)
        shown += _numbers_shown(case)
    assert shown == []


def _numbers_shown(case: Case) -> list[str]:
    """Reasons and hints with a ref that no person would read as a word."""
    refs = [item.ref for item in case.dossier.items if re.search(r"\d", item.ref)]
    said = [text for claim in check(case).claims for text in (claim.reason, claim.hint)]
    return [text for text in said for ref in refs if re.search(rf"(?<!\w){re.escape(ref)}(?!\w)", text)]


def test_a_claim_keeps_the_number_for_machines() -> None:
    assert report("Hi Sian,").claims[0].evidence == ("full_name",)
