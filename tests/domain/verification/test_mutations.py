"""One changed number, title, name, date or denial never passes where the true sentence does."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .cases import report

SIAN, GREGORY, ROHAN, DIEGO, OTIENO = "W2-D1", "W2-D4", "W1-D2", "W1-D5", "W2-D8"
#: dossier, sentence with one place, the true filling
FIGURES = [
    (ROHAN, "You found {} queries that used 40% of the CPU.", 11),
    (ROHAN, "Eleven queries used {}% of the CPU.", 40),
    (ROHAN, "You moved {} Postgres databases to an operator.", 140),
    (DIEGO, "You had {} tickets last quarter.", 312),
    (DIEGO, "Pipewren raised ${} million in March.", 5.4),
    (GREGORY, "You have opened {} matters under the rule.", 212),
    (GREGORY, "A set of guidelines takes {} minutes on average at Corliss & Bane.", 35),
    (SIAN, "You are responsible for {} people across the Derby and Wrexham plants.", 340),
    (SIAN, "The chamber was {} degrees colder than the one you had tested in.", 9),
    (OTIENO, "Laundry loads fell by {} per cent.", 29),
    (OTIENO, "Maji works with {} hotels in Kenya and Tanzania.", 31),
]
TITLES = [
    "Operations Director", "Chief Operating Officer", "Deputy Operations Manager", "Plant Manager",
    "Interim Operations Director", "Assistant Operations Director", "Deputy Finance Director", "Managing Director",
    "VP Operations", "Head of Operations", "Director of Operations", "Senior Operations Director",
]  # fmt: skip
NAMES = ["Paloma", "Renata", "Paula", "Ana", "Carla", "Paloma Ortega", "Grant Holloway", "Leila Farrokhzad"]
MONTHS = ["January", "February", "March", "April", "June", "July", "August", "October", "November", "December"]


def _passes(dossier_id: str, text: str) -> bool:
    return report(text, dossier_id=dossier_id).passes


@given(st.sampled_from(FIGURES), st.integers(2, 999))
@settings(max_examples=400, deadline=None, derandomize=True)
def test_another_figure_never_passes(case: tuple[str, str, float], other: int) -> None:
    dossier_id, text, true = case
    assume(other != true)
    assert _passes(dossier_id, text.format(true))
    assert not _passes(dossier_id, text.format(other))


@given(st.sampled_from(TITLES))
@settings(deadline=None, derandomize=True)
def test_another_title_never_passes(title: str) -> None:
    text = "You are {} at Hartwell Precast."
    assert _passes(SIAN, text.format("Deputy Operations Director"))
    assert not _passes(SIAN, text.format(title))


@given(st.sampled_from(NAMES))
@settings(deadline=None, derandomize=True)
def test_another_mutual_contact_never_passes(name: str) -> None:
    text = "{} is a mutual contact of ours."
    assert _passes(DIEGO, text.format("Paloma Rentería"))
    assume(name != "Paloma")
    assert not _passes(DIEGO, text.format(name))


@given(st.sampled_from(MONTHS))
@settings(deadline=None, derandomize=True)
def test_another_month_never_passes(month: str) -> None:
    text = "Your talk at BuildCamp Mexico City in {} was about caches."
    assert _passes(DIEGO, text.format("September"))
    assert not _passes(DIEGO, text.format(month))


@given(st.integers(1, 20))
@settings(deadline=None, derandomize=True)
def test_another_tenure_never_passes(years: int) -> None:
    text = "You have been Associate General Counsel for {} years."
    assert _passes(GREGORY, text.format(4))
    assume(years != 4)
    assert not _passes(GREGORY, text.format(years))
