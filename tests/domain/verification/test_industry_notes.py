"""What holds for an industry may be said of the industry, and of nobody in it."""

from __future__ import annotations

from datetime import date

import pytest

from messaging.verification.contract import CheckInput, ClaimType, DeclaredClaim, MessageText
from messaging.verification.engine import verify
from messaging.verification.judge import liftable
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of

SEEN = date(2026, 11, 20)
NOTE = "Fintech companies answer to several regulators at once, and each new market adds another licence."


def item(ref: str, kind: Kind, actor: Actor, text: str, start: str = "", **fields: str) -> Evidence:
    return Evidence(
        ref=ref, kind=kind, actor=actor, text=text, fields=fields_of({**fields, "start": start}.items()),
        occurred=partial_date(start) if start else None, observed_at=SEEN,
    )  # fmt: skip


def dossier(*notes: str) -> Dossier:
    people = (
        item("1", Kind.NAME, Actor.PROSPECT, "Maya Lind", full_name="Maya Lind", first_name="Maya", last_name="Lind"),
        item("2", Kind.POSITION, Actor.PROSPECT, "CFO, Corva Pay", start="2024", title="CFO", company="Corva Pay"),
        item("3", Kind.POST, Actor.PROSPECT, "We moved our ledger to one database and slept better."),
        item("4", Kind.SENDER, Actor.SENDER, "Ola Berg", full_name="Ola Berg", title="Founder", company="Hearthdesk"),
        item("5", Kind.OFFER, Actor.SENDER, "Hearthdesk keeps licence records in one place."),
    )
    cited = tuple(
        item(f"n{at}", Kind.INDUSTRY_NOTE, Actor.INDUSTRY, note, industry="Fintech") for at, note in enumerate(notes)
    )
    return Dossier("d", date(2026, 12, 1), (*people, *cited))


def passes(sentence: str, *notes: str, language: str = "en") -> bool:
    return verify(CheckInput(MessageText("", sentence, language, "email"), dossier(*notes))).passes


@pytest.mark.parametrize(
    "sentence",
    [
        "Fintech companies answer to several regulators at once.",
        "Fintech companies answer to several regulators at once, and each new market adds another licence.",
        "Each new market adds another licence.",
    ],
)
def test_of_the_industry_a_note_may_be_said_and_cited(sentence: str) -> None:
    report = verify(CheckInput(MessageText("", sentence, "en", "email"), dossier(NOTE)))
    assert report.passes
    assert {ref for claim in report.claims for ref in claim.evidence} == {"n0"}
    assert not passes(sentence)  # it is the note that carries it


@pytest.mark.parametrize(
    "sentence",
    [
        "You answer to several regulators at once.",
        "Your company answers to several regulators at once.",
        "Your team answers to several regulators.",
        "Your fintech answers to several regulators at once.",
        "Corva Pay answers to several regulators at once.",
        "Maya answers to several regulators at once.",
        "As CFO you answer to several regulators at once.",
        "Like other fintech companies, you answer to several regulators at once.",
        "Fintech companies like yours answer to several regulators at once.",
        "Fintech companies such as Corva Pay answer to several regulators at once.",
        "At Corva Pay, each new market adds another licence.",
        "Each new market adds another licence for you.",
        "You said that fintech companies answer to several regulators at once.",
        "You wrote that each new market adds another licence.",
        "Your post says that each new market adds another licence.",
        "I saw that you answer to several regulators at once.",
        "We answer to several regulators at once.",
        "Hearthdesk answers to several regulators at once.",
        "Congratulations on another licence.",
        "Thank you for answering to several regulators at once.",
        "You moved your ledger to several regulators at once.",
        "Your CFO answers to several regulators at once.",
    ],
)
def test_of_a_person_or_company_it_may_not(sentence: str) -> None:
    report = verify(CheckInput(MessageText("", sentence, "en", "email"), dossier(NOTE)))
    assert not report.passes
    assert not any("n0" in claim.evidence for claim in report.findings)


@pytest.mark.parametrize(
    ("language", "note", "of_industry", "of_person"),
    [
        (
            "de", "Banken ändern ihre Kernsysteme langsam.", "Banken ändern ihre Kernsysteme langsam.",
            ["Sie ändern Ihre Kernsysteme langsam.", "Corva Pay ändert seine Kernsysteme langsam.", "Bei Ihnen ändern Banken ihre Kernsysteme langsam."],
        ),
        (
            "fr", "Les banques modifient leurs systèmes lentement.", "Les banques modifient leurs systèmes lentement.",
            ["Vous modifiez vos systèmes lentement.", "Corva Pay modifie ses systèmes lentement."],
        ),
        (
            "es", "Los bancos cambian los sistemas despacio.", "Los bancos cambian los sistemas despacio.",
            ["Usted cambia los sistemas despacio.", "Corva Pay cambia los sistemas despacio.", "Tú cambias los sistemas despacio."],
        ),
        (
            "pt-BR", "Os bancos mudam os sistemas devagar.", "Os bancos mudam os sistemas devagar.",
            ["Você muda os sistemas devagar.", "A Corva Pay muda os sistemas devagar."],
        ),
        (
            "it", "Le banche cambiano i sistemi lentamente.", "Le banche cambiano i sistemi lentamente.",
            ["Lei cambia i sistemi lentamente.", "Corva Pay cambia i sistemi lentamente.", "Tu cambi i sistemi lentamente."],
        ),
        (
            "nl", "Banken veranderen hun systemen langzaam.", "Banken veranderen hun systemen langzaam.",
            ["U verandert uw systemen langzaam.", "Corva Pay verandert zijn systemen langzaam.", "Jullie veranderen je systemen langzaam."],
        ),
    ],
)  # fmt: skip
def test_in_every_language(language: str, note: str, of_industry: str, of_person: list[str]) -> None:
    assert passes(of_industry, note, language=language)
    assert [sentence for sentence in of_person if passes(sentence, note, language=language)] == []


def test_a_note_lends_no_figure_to_a_person() -> None:
    note = "Online shops lose 30% of their parcels to returns."
    assert passes("Online shops lose 30% of their parcels to returns.", note)
    assert not passes("You lose 30% of your parcels to returns.", note)
    assert not passes("Corva Pay loses 30%.", note)


def test_a_declared_citation_makes_it_no_truer_and_no_judge_is_asked() -> None:
    sentence = "You answer to several regulators at once."
    declared = (DeclaredClaim("body", 0, len(sentence), ClaimType.OTHER, {}, ("n0",)),)
    check = CheckInput(MessageText("", sentence, "en", "email"), dossier(NOTE), declared)
    findings = verify(check).findings
    assert findings
    note = dossier(NOTE).items[-1]
    assert not any(liftable(claim, [note] if "n0" in claim.evidence else []) for claim in findings)
