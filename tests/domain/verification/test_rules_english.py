"""The claim contract, bullet by bullet, in English: what passes, and what is found and why."""

import pytest

from .cases import report

SIAN, GREGORY, ROHAN, DIEGO, OTIENO = "W2-D1", "W2-D4", "W1-D2", "W1-D5", "W2-D8"

TRUE = [
    # titles
    (SIAN, "You have been Deputy Operations Director at Hartwell since February 2024."),
    (SIAN, "Before that you were Plant Manager at Wrexham."),
    (ROHAN, "You are a Staff SRE at Brightloom."),
    (OTIENO, "You've been COO for more than two years."),
    (ROHAN, "I gather Priya Natarajan is your CTO."),
    # dates, tenure and recency
    (SIAN, "You gave a talk at the Concrete Makers Forum in May."),
    (SIAN, "You spoke at the Precast Safety Day in 2023."),
    (ROHAN, "You have been at Brightloom for a little over four years."),
    (DIEGO, "It has been over two years since you and Leila Farrokhzad founded Pipewren."),
    # achievements and actors
    (DIEGO, "You and Leila Farrokhzad raised $5.4 million in March."),
    (SIAN, "Tom Ashdown led the second batching plant at Derby."),
    (SIAN, "You were runner-up for Safety Leader of the Year in 2025."),
    (DIEGO, "Congratulations to Leila Farrokhzad on the Forty to Follow list."),
    # quotes and paraphrases
    (ROHAN, 'You wrote: "I switched it back on."'),
    (ROHAN, "You found eleven queries that used 40% of the CPU."),
    (SIAN, "You don't think every problem on the floor is that cheap."),
    (OTIENO, "Two guests complained, you wrote."),
    # reshares with their author
    (DIEGO, "You shared Oyelaran Bankole's text about 47 services and eleven engineers."),
    # connections
    (SIAN, "Priya Raghunathan is a mutual connection of ours."),
    (SIAN, "We were both at the Concrete Makers Forum in Leeds in May."),
    # numbers, rounding and derivations
    (GREGORY, "You have opened more than two hundred matters under the rule."),
    (OTIENO, "Seven in ten guests chose every third day."),
    (DIEGO, "38 of 312 tickets, about one in eight, turned into code changes."),
    (SIAN, "Scrap on that line went from 6% to under 2%."),
    # education
    (GREGORY, "You studied at the University of Kansas School of Law."),
    # the sender
    (SIAN, "Thermatrace sensors are in use at fourteen precast works in the UK and Ireland."),
    # acts
    (SIAN, "Would you have twenty minutes next week for a call?"),
    (SIAN, "If chamber temperatures are not a concern, please ignore me."),
    (SIAN, "Do you already measure humidity, or is that done by hand?"),
    (SIAN, "I'd be glad to hear your view."),
    (SIAN, "Thank you for reading."),
]

FALSE = [
    # titles: upwards, sideways, former as current, a colleague's
    (SIAN, "As Operations Director you see both plants.", "title"),
    (SIAN, "You are Plant Manager at Wrexham.", "title"),
    (DIEGO, "As the founder of Pipewren you know this.", "title"),
    (DIEGO, "You are co-founder and CEO of Pipewren.", "title"),
    (ROHAN, "You are a Principal SRE at Brightloom.", "title"),
    (OTIENO, "You were General Manager at Baobab Bay Watamu.", "title"),
    # dates, tenure and recency
    (SIAN, "Congratulations on your new role as Deputy Operations Director!", "recency"),
    (SIAN, "You have looked after two plants for five years.", None),
    (SIAN, "You spoke at the Precast Safety Day last month.", "recency"),
    (ROHAN, "You recently joined Brightloom.", "recency"),
    (GREGORY, "You have had the rule since May.", "date"),
    (GREGORY, "Now that the combination with Alder Voss has gone through, work will change.", None),
    # achievements and actors
    (SIAN, "Congratulations on leading the second batching plant at Derby.", "achievement"),
    (DIEGO, "Congratulations on making the Forty to Follow list.", "achievement"),
    (SIAN, "You were Safety Leader of the Year in 2025.", "achievement"),
    (OTIENO, "You signed the Naivasha contract in August.", "achievement"),
    # quotes and paraphrases
    (ROHAN, 'You wrote: "Autoscaling is bad."', "quote"),
    (ROHAN, "You argue that shared clusters are better off without autoscaling.", None),
    (SIAN, "You think that every problem on the floor is cheap.", None),
    (OTIENO, "No guest complained, you wrote.", None),
    (SIAN, "Your point that factories always waste money is well made.", None),
    # reshares as own words
    (DIEGO, "You had 47 services and eleven engineers.", "quote"),
    (SIAN, "You took on twelve apprentices this year.", "quote"),
    # connections
    (SIAN, "Tom Ashdown is a mutual connection of ours.", "connection"),
    (SIAN, "Priya Raghunathan suggested that I write to you.", "connection"),
    (SIAN, "It was good to meet you at the Concrete Makers Forum.", "connection"),
    (SIAN, "We studied together in Cardiff.", "connection"),
    (DIEGO, "I heard your talk at BuildCamp.", "connection"),
    # numbers
    (GREGORY, "You have opened 312 matters under the rule.", None),
    (OTIENO, "Laundry loads fell by 39 per cent.", None),
    (SIAN, "You lead 430 people across both plants.", None),
    (SIAN, "The chamber was twelve degrees colder.", None),
    # education
    (GREGORY, "You studied law at the University of Missouri.", None),
    # the sender
    (SIAN, "Thermatrace sensors are in use at forty precast works.", None),
    (SIAN, "Brannock Stone had 31% fewer cracked units in its first two months with Thermatrace.", None),
    # inferences
    (SIAN, "Your plants are struggling with cracks.", None),
    (DIEGO, "Support duty is clearly slowing your engineers down.", None),
    (SIAN, "How is your SAP migration going?", "inference"),
    # names
    (SIAN, "I wrote to Barbara Klein about it as well.", None),
]


@pytest.mark.parametrize(("dossier_id", "text"), TRUE)
def test_a_true_sentence_passes(dossier_id: str, text: str) -> None:
    assert report(text, dossier_id=dossier_id).findings == ()


@pytest.mark.parametrize(("dossier_id", "text", "kind"), FALSE)
def test_a_false_sentence_is_found(dossier_id: str, text: str, kind: str | None) -> None:
    kinds = [str(claim.type) for claim in report(text, dossier_id=dossier_id).findings]
    assert kinds
    assert kind is None or kind in kinds


def test_the_greeting_name_is_a_claim() -> None:
    assert report("Hi Sian,\n\nThank you for reading.").passes
    wrong = report("Hi Susan,\n\nThank you for reading.").findings
    assert [(claim.span, claim.hint) for claim in wrong] == [("Susan", "Sian Maddocks")]


def test_a_closing_may_hold_only_the_senders_own_name_title_and_company() -> None:
    assert report("Thank you for reading.\n\nBest wishes,\nElliot Farrow\nAccount Manager, Precast, Thermatrace").passes
    assert not report("Thank you for reading.\n\nBest wishes,\nElliot Farrow\nManaging Director, Thermatrace").passes


def test_a_relative_date_limits_how_long_the_text_stays_true() -> None:
    checked = report("You posted about the Monday pour last month.")
    assert checked.passes
    assert checked.valid_until is not None
    assert checked.valid_until.isoformat() == "2026-11-30"
