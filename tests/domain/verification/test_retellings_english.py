"""Honest ways to retell a dossier, and the falsehoods that stand right beside them."""

import pytest

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify
from prospects.domain.dossier_json import read_dossier

DOSSIER = read_dossier(
    {
        "dossier_id": "T-EN",
        "as_of": "2026-05-20",
        "prospect": {
            "full_name": "Maud Ellingsen",
            "headline": "Director of Harbour Operations at Saltmark Ferries | Ex-pilot",
            "location": "Hull, England",
            "profile_language": "en",
            "languages": ["English (native)"],
            "about": "Boats that leave on time.",
            "positions": [
                {"title": "Director of Harbour Operations", "company": "Saltmark Ferries", "start": "2025-11",
                 "end": None, "description": ""},
                {"title": "Manager, Night Freight", "company": "Saltmark Ferries", "start": "2022-04",
                 "end": "2025-10", "description": ""},
            ],
            "education": [{"school": "Durham University", "degree": "BSc Physics", "start": "2003", "end": "2006"}],
            "skills": [], "certifications": [], "awards": [], "talks": [],
            "posts": [
                {"id": "post1", "date": "2026-04-14", "kind": "post", "language": "en",
                 "text": "I rode the night boat 22 times in March. Claims from lorry drivers fell from 150 to 60 a "
                 "month. Of the thirteen complaints in April, nine were about the gate. Evening roll calls have gone. "
                 "Nobody had told the drivers that the gate closes early. We repaint the quay over six years."},
                {"id": "post2", "date": "2026-02-10", "kind": "post", "language": "en",
                 "text": "My first deputy now runs a crew. We lost no boat."},
            ],
        },
        "company": {"name": "Saltmark Ferries", "aliases": ["Saltmark"], "industry": "Shipping", "size": "201-500",
                    "headquarters": "Hull, England", "description": "", "news": [], "people": []},
        "in_common": [
            {"kind": "school", "name": "Durham University", "sender_years": "2005-2008", "prospect_years": "2003-2006"},
            {"kind": "event", "name": "Quayside Forum, Leith", "date": "2026-01-20", "sender_role": "spoke",
             "prospect_role": "spoke"},
        ],
        "sender": {"full_name": "Ivo Brandt", "title": "Founder", "company": "Gatewise",
                   "offer": "Gate displays for harbours.", "facts": []},
    }
)  # fmt: skip

TRUE = [
    # relations: a school by the name of its town; the years that both were there; how many things are shared
    "I was at Durham too.",
    "We were at Durham at the same time for a year or so.",
    "We have two things in common.",
    # figures: rides are times that somebody rode, a fall from one figure to another, a part and its whole
    "Twenty-two rides on the night boat in March!",
    "Claims from drivers are down by nearly two thirds.",
    "Claims from drivers are down by 60%.",
    "Thirteen complaints in April, and nine of them about the gate.",
    "Repainting the quay over six years, you wrote.",
    # time: about so long in a month's precision, a former post by its field, since the first month here
    "Six months or so as Director of Harbour Operations.",
    "You became Director of Harbour Operations after three and a half years in Night Freight.",
    "Your first deputy now runs a crew, as you said in February.",
    # the sender's own taste and things
    "Nine of the thirteen complaints were about the gate, which strikes me as a fair place to begin.",
    "I might try that on my printers.",
    # acts
    "Would you compare notes, a founder and a former pilot?",
    "If you ever want to change it in November, I'd be glad to help.",
]

FALSE = [
    "I was at Leeds too.",
    "We were at Durham at the same time for three years.",
    "We have three things in common.",
    "Thirty rides on the night boat in March!",
    "Claims from drivers are down by nearly a third.",
    "All thirteen complaints in April were about the gate.",
    "Thirteen complaints in April, and all of them were about the gate.",
    "Claims from drivers are up.",
    "You hold roll calls in the evening.",
    "Repainting the quay over eight years, you wrote.",
    "Nine months or so as Director of Harbour Operations.",
    "You became Director of Harbour Operations after six years in Night Freight.",
    "Your first deputy now runs a crew, as you said in January.",
    "You are the founder of Saltmark.",
    "You want to change it in November.",
    "You have had evening roll calls since April.",
]

#: Yes against no, where a reader must decide whether it is one thought in other words: never verified by rule.
FOR_A_READER = [
    "No more roll calls in the evening.",
    "The gate closes early for drivers.",
]


def checked(text: str) -> Report:
    return verify(CheckInput(MessageText("", text, "en", "email"), DOSSIER))


@pytest.mark.parametrize("text", TRUE)
def test_an_honest_retelling_passes(text: str) -> None:
    assert checked(text).findings == ()


@pytest.mark.parametrize("text", FALSE)
def test_its_neighbour_is_found(text: str) -> None:
    assert checked(text).findings


@pytest.mark.parametrize("text", FOR_A_READER)
def test_turned_round_it_is_unsupported(text: str) -> None:
    assert "unsupported" in {str(claim.verdict) for claim in checked(text).findings}
