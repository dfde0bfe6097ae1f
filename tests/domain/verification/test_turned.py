"""The same words turned: a plan told as done, a denial told as a yes, a trouble told as sure, a buyer told as bought."""

from dataclasses import replace
from datetime import date

import pytest

from messaging.verification.contract import CheckInput, MessageText, Verdict
from messaging.verification.engine import verify
from prospects.domain.dates import partial_date
from prospects.domain.dossier_json import read_dossier
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind
from tests.mutations.known import everybody

FALSE = [
    ("M-NL1", "nl", "Duinwater heeft in Drachten een warmtenet aangelegd."),
    ("M-NL1", "nl", "De aanleg is begonnen."),
    ("M-DE2", "de", "Der Klinikverbund Elbmarsch hat ein neues Dienstplansystem eingeführt."),
    ("M-PT1", "pt-BR", "A Araçá construiu uma fábrica em Uberlândia."),
    ("M-IT2", "it", "Avete chiuso il vecchio centro dati."),
    ("M-FR1", "fr", "Vous avez testé deux jours de livraison."),
    ("W4-D1", "fr", "La nouvelle ligne d'enduction a démarré."),
    ("M-EN1", "en", "You swear that the calls did it."),
    ("M-EN2", "en", "You would run another reverse auction."),
    ("W5-D5", "it", "Esclude di tornare in fiera nel 2027."),
    ("W3-D6", "nl", "Je worstelt vast met stijgende kosten."),
    ("W3-D2", "de", "Sie kämpfen sicher mit steigenden Kosten."),
    ("W2-D8", "en", "Coral Lantern Hotels clearly needs a better way to do this."),
    ("W1-D5", "en", "Since Pipewren was taken over, who decides on new tools?"),
    ("M-FR2", "fr", "Depuis le rachat de Groupe Kerlann, qui décide des nouveaux outils ?"),
]
NEWS = "Larkfield Software will move 30 homes to its system in March 2027. It was founded in Leeds."


def _said(body: str, *items: Evidence) -> set[Verdict]:
    dossier = Dossier("d", date(2026, 12, 1), (Evidence("name", Kind.NAME, Actor.PROSPECT, "Ada Moss"), *items))
    return {claim.verdict for claim in verify(CheckInput(MessageText("", body, "en", "email"), dossier)).findings}


@pytest.mark.parametrize(("dossier_id", "language", "text"), FALSE)
def test_it_is_found(dossier_id: str, language: str, text: str) -> None:
    [known] = [one for one in everybody() if one.dossier_id == dossier_id]
    message = MessageText("", text, language, "email")
    assert verify(CheckInput(message, read_dossier(known.raw))).findings


def test_a_plan_is_no_deed_until_its_day() -> None:
    company = Evidence(
        "c", Kind.COMPANY_FACT, Actor.COMPANY, "Larkfield Software", fields={"name": "Larkfield Software"}
    )
    planned = Evidence("n", Kind.COMPANY_NEWS, Actor.COMPANY, NEWS, occurred=partial_date("2026-09-10"))
    done = replace(planned, text=NEWS.replace("will move", "has moved").replace(" in March 2027", ""))
    told = "Larkfield Software has moved 30 homes to its system."
    assert _said(told, company, planned)
    assert not _said(told, company, done)


def test_a_trouble_that_the_prospect_names_may_be_named() -> None:
    post = Evidence(
        "p", Kind.POST, Actor.PROSPECT, "We struggle with late orders.", occurred=partial_date("2026-11-10")
    )
    assert not _said("You struggle with late orders.", post)
    assert _said("You probably struggle with late invoices.", replace(post, text="We ship orders."))
