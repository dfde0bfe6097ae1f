"""Words of one text shuffled anew, plans told as done, parts told as wholes: each sentence must be stopped."""

import pytest

from .cases import report

SHUFFLED = [
    ("W2-D4", "Your rule added two weeks to the average matter."),
    ("W2-D4", "Hadley Birch has combined with Alder Voss."),
    ("W1-D2", "You turned autoscaling off on three query clusters in August."),
    ("W1-D2", "Half of your customers are logistics companies."),
    ("W1-D2", "You were a support engineer at Tallybird."),
    ("W1-D2", "I see you are in charge of Brightloom's new Singapore region."),
    ("W1-D5", "Pipewren has doubled its engineering team."),
    ("W2-D8", "Your Naivasha lodge opened this summer."),
]


@pytest.mark.parametrize(("dossier_id", "text"), SHUFFLED)
def test_words_of_the_evidence_in_another_relation_are_stopped(dossier_id: str, text: str) -> None:
    assert not report(text, dossier_id=dossier_id).passes


def test_the_same_relation_in_other_words_passes() -> None:
    assert report("You turned autoscaling off on one of your three query clusters.", dossier_id="W1-D2").passes
