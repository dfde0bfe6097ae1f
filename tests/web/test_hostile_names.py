"""Other people's text on every page of a team that shows it: never as markup."""

import pytest
from django.test import Client
from django.urls import reverse

from messaging.delivery import services
from messaging.models import Delivery, RawMail, Reply
from prospects.domain.evidence import Kind
from prospects.models import Company
from tests.factories import BODY, a_campaign, a_draft, a_policy, a_prospect, evidence
from tests.people import a_member, a_team, signed_in
from tests.services.delivery.scenes import DUE
from tests.services.review.scenes import approved

pytestmark = pytest.mark.django_db
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def scene() -> tuple[Client, dict[str, str]]:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team, name=f"Campaign {EVIL}")
    prospect = a_prospect(team=team, location=EVIL[:100])
    evidence(prospect=prospect, kind=Kind.POST, text=f"A post {EVIL}", source=EVIL)
    Company.objects.filter(team=team).update(name=f"Pipewren {EVIL}")
    draft = a_draft(campaign=campaign, prospect=prospect, body=BODY)
    approved(member=a_member(team=team, role="reviewer"), draft=draft)
    services.open_deliveries(now=DUE)
    delivery = Delivery.objects.get()
    type(prospect).objects.filter(pk=prospect.pk).update(full_name=f"Diego {EVIL}", title=EVIL)
    raw = RawMail.objects.create(team=team, sha256="0" * 64, source="paste", content=EVIL.encode(), received_at=DUE)
    reply = Reply.objects.create(
        team=team, raw=raw, delivery=delivery, prospect=prospect, matched_by="person", state="new", subject=EVIL, text=EVIL,
        sender_address="a@b.example", received_at=DUE, kind="human", intent="positive", classifier_version="1",
    )
    names = {"team": team.slug}
    return signed_in(user=a_member(team=team, role="admin").user), {
        "list": reverse("prospects:list", kwargs=names),
        "person": reverse("prospects:detail", kwargs={**names, "pk": prospect.pk}),
        "messages": reverse("home:prospect_messages", kwargs={**names, "pk": prospect.pk}),
        "search": reverse("home:search", kwargs=names) + "?q=Diego",
        "front": reverse("home:front", kwargs=names),
        "queue": reverse("review:queue", kwargs=names) + "?lane=decided",
        "draft": reverse("review:draft", kwargs={**names, "draft_id": draft.pk}),
        "outbox": reverse("delivery:outbox", kwargs=names),
        "delivery": reverse("delivery:detail", kwargs={**names, "pk": delivery.pk}),
        "inbox": reverse("replies:inbox", kwargs=names),
        "thread": reverse("replies:thread", kwargs={**names, "pk": reply.pk}),
    }


def test_markup_in_names_posts_and_mail_stays_text(scene) -> None:
    client, pages = scene
    shown = {}
    for name, address in pages.items():
        answer = client.get(address)
        assert answer.status_code == 200, (name, answer.status_code)
        assert b"<script>alert" not in answer.content, name
        assert b"<img src=x" not in answer.content, name
        assert "'unsafe" not in answer["Content-Security-Policy"], name
        shown[name] = b"&lt;script&gt;alert" in answer.content
    assert {"list", "person", "draft", "delivery", "thread"} <= {name for name, found in shown.items() if found}
