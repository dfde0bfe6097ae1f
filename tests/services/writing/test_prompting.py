"""Which prompt a message is written with: a strategy's own number, the team's, the channel's, then anybody's."""

from __future__ import annotations

import pytest

from messaging.models import PromptPointer, PromptVersion
from messaging.models.strategies import Stage
from messaging.writing.domain.prompt_text import problems_of
from messaging.writing.domain.strategy import CHANNELS
from messaging.writing.prompting import ensure_shipped_prompts, live_prompt, shipped_prompts
from outreach.teams.models import Team

pytestmark = pytest.mark.django_db


def a_version(*, team: Team, text: str, channel: str = "", language: str = "", number: int = 1) -> PromptVersion:
    return PromptVersion.objects.create(
        team=team, stage=Stage.WRITING, channel=channel, language=language, number=number, text=text
    )


def publish(version: PromptVersion) -> None:
    PromptPointer.objects.update_or_create(
        team=version.team, stage=version.stage, channel=version.channel, language=version.language,
        defaults={"version": version},
    )  # fmt: skip


def live(team: Team, channel: str = "email", language: str = "de", number: int = 0) -> str:
    found = live_prompt(team=team, channel=channel, language=language, stage=Stage.WRITING, number=number)
    return found.text if found else ""


def test_each_channel_has_a_prompt_of_its_own_that_begins_with_the_common_one(team: Team) -> None:
    ensure_shipped_prompts()
    texts = {channel: live(team, channel) for channel in CHANNELS}
    assert len(set(texts.values())) == len(CHANNELS)
    common = shipped_prompts()["writing", ""].rstrip()
    assert all(text.startswith(common) for text in texts.values())


@pytest.mark.parametrize(("stage", "channel"), shipped_prompts())
def test_shipped_prompts_may_be_published(stage: str, channel: str) -> None:
    assert problems_of(text=shipped_prompts()[stage, channel], stage=stage) == ()
    assert channel in ("", *CHANNELS)


def test_publishing_twice_makes_no_second_version(team: Team) -> None:
    ensure_shipped_prompts()
    before = PromptVersion.objects.count()
    ensure_shipped_prompts()
    assert PromptVersion.objects.count() == before == len(shipped_prompts())


def test_the_teams_prompt_goes_before_the_products_and_the_closer_one_before_the_wider(team: Team) -> None:
    ensure_shipped_prompts()
    publish(a_version(team=team, text="any"))
    assert live(team) == "any"
    publish(a_version(team=team, text="email", channel="email"))
    publish(a_version(team=team, text="german e-mail", channel="email", language="de"))
    assert (live(team), live(team, language="fr"), live(team, "inmail")) == ("german e-mail", "email", "any")


def test_a_strategys_own_version_is_used_though_another_is_published(team: Team) -> None:
    publish(a_version(team=team, text="published", number=2))
    a_version(team=team, text="tried", number=1)
    assert (live(team, number=1), live(team, number=9)) == ("tried", "published")


def test_another_teams_prompt_is_never_used(team: Team, other_team: Team) -> None:
    publish(a_version(team=other_team, text="theirs", number=3))
    assert (live(team), live(team, number=3)) == ("", "")
