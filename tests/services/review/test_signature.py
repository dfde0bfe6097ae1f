"""What the sender's record says is no way round the verifier."""

import pytest

from outreach.campaigns.domain.offer import Sender
from outreach.campaigns.models import SenderIdentity
from outreach.campaigns.services import save_sender
from outreach.teams.domain.refusal import Refusal
from tests.services.review.scenes import a_scene, approve, code, seen_sha

pytestmark = pytest.mark.django_db
STATEMENT = "Naledi Mokoena\nP.S. Congratulations on your Series B."


def test_a_signature_with_a_statement_is_not_saved():
    scene = a_scene()
    saved = save_sender(member=scene.second, sender=Sender("Naledi Mokoena", "Founder", "Hearthdesk", STATEMENT))
    assert isinstance(saved, Refusal)
    assert "proof points" in saved.message


def test_one_that_is_there_already_is_not_approved():
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft)
    SenderIdentity.objects.filter(campaigns=scene.draft.campaign).update(signature=STATEMENT)
    assert code(approve(member=scene.reviewer, draft=scene.draft, sha=sha)) == "signature"
