"""What a message is written from, read before the first model call: evidence, hooks, strategy, prompts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from messaging.hooks.domain.ranking import Hook, rank
from messaging.hooks.queries import rarity_for, used_nearby
from messaging.models import Draft, DraftState, EnrolmentState, FrozenDossier, PromptVersion
from messaging.models.strategies import Stage
from messaging.writing.checking import checker_for
from messaging.writing.domain.spending import Limits
from messaging.writing.domain.strategy import prefer
from messaging.writing.domain.thread import fresh_hooks, layers_for
from messaging.writing.dossiers import freeze_unsaved, send_by_of, thaw
from messaging.writing.few_shot import examples_for
from messaging.writing.generation import Brief
from messaging.writing.prompting import ensure_shipped_prompts, live_prompt
from messaging.writing.queries import decided_claims
from messaging.writing.sharing import shared, shared_offer, shared_policy
from messaging.writing.spending import limits_for
from messaging.writing.strategies import assign
from outreach.campaigns.domain.budget import ModelAccess
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import model_access_of, offer_of, policy_of
from prospects import suppression
from prospects.models import Prospect, ProspectState

#: Texts of the same campaign that the composer keeps away from, those to colleagues first.
MOST_BODIES = 20


@dataclass(frozen=True, slots=True)
class Job:
    """A draft with everything its writing needs, read before the first model call."""

    draft: Draft
    frozen: FrozenDossier
    brief: Brief
    hooks: tuple[Hook, ...]
    prompt: PromptVersion | None
    limits: Limits
    access: ModelAccess


def _standing_still(draft: Draft) -> tuple[str, str] | None:
    """Of people who are not written to now: who is paused has the draft written when they go on."""
    if draft.enrolment.state == EnrolmentState.PAUSED:
        return DraftState.WAITING, "The enrolment is paused; it is written when the person goes on."
    if draft.enrolment.state != EnrolmentState.ACTIVE:
        return DraftState.CANCELLED, f"The enrolment is {draft.enrolment.get_state_display().lower()}."
    return None


def stop_of(*, draft: Draft) -> tuple[str, str] | None:
    """Why nothing may be written to this person now: the draft's next state and the reason."""
    prospect = draft.prospect
    stands = _standing_still(draft)
    if stands is not None:
        return stands
    if prospect.state == ProspectState.ERASED:
        return DraftState.CANCELLED, "The person asked to be erased."
    if prospect.state == ProspectState.MERGED:
        return DraftState.CANCELLED, "The record was merged into another one, which is written to instead."
    if prospect.state == ProspectState.CONFLICTED:
        reason = prospect.conflict or "The sources disagree about who this is."
        return DraftState.BLOCKED, f"Settle who this is before anything is written: {reason}"
    found = suppression.of_prospects(team=draft.team, prospect_ids=[prospect.pk]).get(prospect.pk)
    if found is not None:
        return DraftState.CANCELLED, f"On the suppression list: {found.reason}"
    return None


def _step_instruction(*, draft: Draft) -> str:
    """What the campaign says a writer should know about this step."""
    found = draft.campaign.steps.filter(position=draft.step).values_list("instruction", flat=True)
    return shared(("step", draft.campaign_id, draft.step), found.first) or ""


def _prompts(*, draft: Draft, number: int) -> tuple[PromptVersion | None, PromptVersion | None]:
    """The live ones, for writing and for the analysis before it. number: see `live_prompt`."""

    def prompt(stage: Stage, number: int) -> PromptVersion | None:
        return live_prompt(team=draft.team, channel=draft.channel, language=draft.language, stage=stage, number=number)

    def read() -> tuple[PromptVersion | None, PromptVersion | None]:
        ensure_shipped_prompts()
        return prompt(Stage.WRITING, number), prompt(Stage.ANALYSIS, 0)

    return shared(("prompts", draft.team_id, draft.channel, draft.language, number), read)


def prepare(*, draft: Draft, now: datetime, rng: Random) -> Job:
    """Draw the strategy, freeze the evidence and rank it. Writes the draft's strategy and nothing else."""
    draft = assign(draft=draft, rng=rng)
    offer = shared_offer(campaign=draft.campaign)
    frozen = freeze_unsaved(prospect=draft.prospect, campaign=draft.campaign, now=now)
    if draft.dossier is not None and draft.dossier.content_hash == frozen.content_hash:
        frozen = draft.dossier
    checker = checker_for(draft=draft, frozen=frozen, now=now)
    ranked = rank(
        dossier=checker.dossier,
        value_proposition=f"{offer.offer} {offer.value_proposition}",
        rarity=rarity_for(prospect=draft.prospect, dossier=checker.dossier),
        used=used_nearby(prospect=draft.prospect, campaign_id=draft.campaign_id, now=now),
    )
    ranked = fresh_hooks(hooks=ranked, dossier=checker.dossier, thread=checker.thread)
    layers = layers_for(hooks=ranked, layers=checker.parameters.layers, dossier=checker.dossier, thread=checker.thread)
    parameters = replace(checker.parameters, layers=layers)
    hooks = prefer(hooks=ranked, dossier=checker.dossier, parameters=parameters)
    prompt, analysis = _prompts(draft=draft, number=checker.parameters.prompt)
    few_shot = checker.parameters.few_shot
    brief = Brief(
        checker=checker,
        offer=offer,
        hooks=hooks,
        parameters=parameters,
        prompt=prompt.text if prompt else "",
        analysis_prompt=analysis.text if analysis else "",
        instruction=draft.instruction,
        step_instruction=_step_instruction(draft=draft),
        seed=draft.pk,
        others=tuple(other.body for other in checker.others_texts)[:MOST_BODIES],
        decided=shared(("decided", draft.team_id), lambda: decided_claims(team=draft.team)),
        examples=shared(
            ("examples", draft.team_id, draft.channel, draft.language, few_shot),
            lambda: examples_for(draft=draft, few_shot=few_shot),
        ),
    )
    policy = shared_policy(team=draft.team)
    access = model_access_of(team=draft.team, policy=policy)
    return Job(draft, frozen, brief, ranked, prompt, limits_for(campaign=draft.campaign, policy=policy), access)


@dataclass(frozen=True, slots=True)
class Opening:
    """A hook that somebody would get, with the words of the evidence behind it."""

    hook: Hook
    text: str
    source: str


def openings_of(*, prospect: Prospect, campaign: Campaign, now: datetime, most: int = 3) -> tuple[Opening, ...]:
    """The best hooks of a person for a campaign, ranked as they are for a draft; nothing is stored."""
    offer = offer_of(campaign=campaign)
    dossier = thaw(
        frozen=freeze_unsaved(prospect=prospect, campaign=campaign, now=now),
        send_by=send_by_of(policy=policy_of(team=campaign.team), now=now),
    )
    ranked = rank(
        dossier=dossier,
        value_proposition=f"{offer.offer} {offer.value_proposition}",
        rarity=rarity_for(prospect=prospect, dossier=dossier),
        used=used_nearby(prospect=prospect, campaign_id=campaign.pk, now=now),
    )
    found = ((hook, dossier.by_ref(hook.ref)) for hook in ranked[:most])
    return tuple(Opening(hook, item.text, item.source) for hook, item in found if item is not None)
