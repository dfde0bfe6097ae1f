"""Names leave a message for good: of gold messages none of a person's or a company's is left."""

from __future__ import annotations

import json

import pytest

from messaging.writing.domain.anonymous import Named, anonymised, leaks, named_in, shrunken
from tests.domain.writing.material import GOLD, gold_dossiers

OTHERS = {"Coral Lantern Hotels": "[Company]", "Bo": "[Name]", "李伟": "[Name]", "danah boyd": "[Name]"}
NAMED = Named({"Ana María Roe": "[Name]", "Roe": "[Name]", "Kilnwatch GmbH": "[Our company]", "Claywork": "[Company]"} | OTHERS)
FAITHFUL = [
    entry
    for entry in map(json.loads, (GOLD.parent / "messages.jsonl").read_text(encoding="utf-8").splitlines())
    if entry["label"] == "faithful" and entry["dossier_id"] in gold_dossiers()
]

TABLE = [
    ("Hi Ana, it is Ana María Roe.", "Hi [Name], it is [Name]."),
    ("ANA and Ana's and Anas Werk", "[Name] and [Name]'s and [Name]s Werk"),
    ("Maria without her accent", "[Name] without her accent"),
    ("At Kilnwatch, and Kilnwatch GmbH too", "At [Our company], and [Our company] too"),
    ("clayworks are no Claywork’s", "clayworks are no [Company]’s"),
    ("Analysis of Roedeer", "Analysis of Roedeer"),
    ("write to ana@claywork.example or +45 12 34 56 78", "write to [Address] or [Address]"),
    ("see https://claywork.example/x?y=1 now", "see [Address] now"),
    ("nothing of the kind", "nothing of the kind"),
    ("Mari\u0301a, with her accent apart", "[Name], with her accent apart"),
    ("see claywork.io/blog or @ana_roe", "see [Address] or [Address]"),
    ("call 0664 123 4567, not on 05/06/2026", "call [Address], not on 05/06/2026"),
    ("CLH and the clh", "[Company] and the clh"),
    ("Hi Bo, and 李伟", "Hi [Name], and [Name]"),
    ("what danah boyd wrote, and coral lantern hotels", "what [Name] wrote, and [Company]"),
    ("Version 2.0 of e.g. this", "Version 2.0 of e.g. this"),
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_names_become_placeholders(text, expected):
    assert anonymised(text, named=NAMED) == expected
    assert leaks(expected, named=NAMED) == ()


def test_a_name_in_other_words_is_noticed():
    assert leaks("Ask Roe-Lund about it", named=NAMED) == ("roe",)


def test_a_name_inside_a_longer_word_is_noticed():
    assert leaks("Das Clayworkteam", named=NAMED) == ("claywork",)


def test_no_gold_message_that_is_used_keeps_a_name():
    used = 0
    for entry in FAITHFUL:
        dossier, _language = gold_dossiers()[entry["dossier_id"]]
        named = named_in(dossier)
        text = anonymised(f"{entry['subject']}\n{entry['body']}", named=named)
        if leaks(text, named=named):
            continue
        used += 1
        people = [item.fields.get("full_name", "") for item in dossier.items]
        companies = [item.fields.get("company", "") for item in dossier.items]
        for name in filter(None, (*people, *companies)):
            assert name not in text, (entry["case_id"], name)
            for part in name.split():
                if len(part) > 3 and part[0].isupper() and name in people:
                    assert part not in text.replace("[Name]", ""), (entry["case_id"], part)
    assert used >= 0.95 * len(FAITHFUL)


def test_a_rate_leans_on_the_base_until_messages_are_many():
    assert shrunken(positive=1, sent=1, base=0.04) == pytest.approx(0.0588, abs=1e-4)
    assert shrunken(positive=1_000, sent=10_000, base=0.04) == pytest.approx(0.0997, abs=1e-4)
