"""What a sender and a team print under an e-mail, in the language it is written in."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from messaging.review.domain.payload import readable
from messaging.review.queries.outgoing import Outgoing, Thread, outgoing_of
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.models import SenderIdentity, TeamPolicy
from outreach.campaigns.queries import policy_of
from outreach.campaigns.services import PolicySaved, change_settings, confirm_policy
from tests.people import a_member
from tests.services.review.scenes import LATER, Scene, a_scene

pytestmark = pytest.mark.django_db
NOTICE = {"en": "Questions: privacy@hearthdesk.example", "de": "Fragen: datenschutz@hearthdesk.example"}


def letter(scene: Scene, language: str) -> str:
    draft = type(scene.draft).objects.select_related("prospect", "campaign__sender", "campaign__account", "team").get(pk=scene.draft.pk)
    draft.language = language
    assert draft.current is not None
    made = outgoing_of(
        draft=draft, revision=draft.current, policy=policy_of(team=draft.team), thread=Thread(), token="t" * 24
    )
    assert isinstance(made, Outgoing), made
    return readable(content=made.content)


def test_signature_calendar_and_notice_are_those_of_the_language() -> None:
    scene = a_scene()
    plain = letter(scene, "en")
    SenderIdentity.objects.filter(campaigns=scene.draft.campaign).update(
        signature="Naledi Mokoena\nTel 021 555 0100", signatures={"de": "Naledi Mokoena\nTelefon 021 555 0100"},
        calendar_url="https://cal.example/naledi",
    )
    english = letter(scene, "en")
    assert "Tel 021 555 0100\nhttps://cal.example/naledi\n1 Main Road" in english
    assert "Telefon 021" not in english
    german = letter(scene, "de-AT")
    assert "Telefon 021 555 0100\nhttps://cal.example/naledi" in german
    assert "cal.example" not in plain
    assert "Tel 021" in letter(scene, "fr")


def test_a_notice_of_ones_own_stands_above_the_way_out() -> None:
    scene = a_scene()
    assert "privacy@" not in letter(scene, "en")
    asked = change_settings(member=scene.second, values={"notice_texts": NOTICE}, now=LATER)
    assert isinstance(asked, PolicySaved)
    assert asked.waiting is not None
    with pytest.raises(DatabaseError), transaction.atomic():
        TeamPolicy.objects.filter(team=scene.draft.team).update(notice_texts={"en": "Everybody buys it."})
    confirmed = confirm_policy(
        member=a_member(team=scene.draft.team, role="admin"), change_id=asked.waiting.pk, now=LATER
    )
    assert isinstance(confirmed, Policy)
    english = letter(scene, "en")
    assert english.index("Basis:") < english.index(NOTICE["en"]) < english.index("No more messages")
    assert NOTICE["de"] in letter(scene, "de")
    assert "privacy@" not in letter(scene, "fr")
