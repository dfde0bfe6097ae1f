"""Names as exports hold them."""

from __future__ import annotations

import pytest

from prospects.domain.names import NoName, PersonName, name_from_parts, names_agree, read_name
from tests.files import table

HARD = table("names_hard.csv")


@pytest.mark.parametrize("row", HARD, ids=[row["Full Name"] for row in HARD])
def test_hard_names_are_read_as_expected(row: dict[str, str]) -> None:
    name = read_name(row["Full Name"])
    found = ("", "", "") if isinstance(name, NoName) else (name.first, name.last, name.suffix)
    assert found == (row["Expected First"], row["Expected Last"], row["Expected Suffix"])


@pytest.mark.parametrize(
    ("first", "last", "full", "suffix"),
    [
        ("Priyanka", "Raghavan-Holt, PhD, MBA 🚀", "Priyanka Raghavan-Holt", "PhD, MBA"),
        ("🌱 Zoë", "Østergård (née Brandt)", "Zoë Østergård", ""),
        ("BARTHOLOMEW", "QUILL JR.", "Bartholomew Quill", "Jr."),
        ("晓彤", "陈", "陈晓彤", ""),
        ("Théo", "Brisebois ", "Théo Brisebois", ""),
        ("Dmitri", "К.", "Dmitri К.", ""),
        ("", "Madonna", "Madonna", ""),
        ("Jane", "(Fd Arts)", "Jane", ""),
        ("Dr. Anna", "Ma", "Anna Ma", ""),
    ],
)
def test_names_in_two_columns_keep_the_split(first: str, last: str, full: str, suffix: str) -> None:
    name = name_from_parts(first, last)
    assert isinstance(name, PersonName)
    assert (name.full, name.suffix) == (full, suffix)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "  ",
        "LinkedIn Member",
        "Membre de LinkedIn",
        "null",
        "N/A",
        "=1+1",
        "@SUM(1)",
        "+1+1",
        "-2+3",
        "a@b.example",
        "🚀",
        "http://x.example",
    ],
)
def test_nobody_is_nobody(raw: str) -> None:
    assert isinstance(read_name(raw), NoName)


def test_a_birth_name_and_a_nickname_are_kept_apart() -> None:
    former, nick = read_name("Zoë Østergård (née Brandt)"), read_name("Robert (Bob) Clark")
    assert isinstance(former, PersonName)
    assert isinstance(nick, PersonName)
    assert (former.former, nick.nickname) == ("Brandt", "Bob")


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("Maren Oduya", "Maren Oduya-Lindqvist", True),  # married
        ("Théo B.", "Théo Brisebois", True),
        ("T. Brisebois", "Théo Brisebois", True),
        ("Bob Clark", "Robert Clark", True),
        ("Robert (Bob) Clark", "Bob Clark", True),
        ("Chen Xiaotong", "陈晓彤", True),  # other script: cannot disagree
        ("Quill Bartholomew", "Bartholomew Quill", True),
        ("Paolo Reni", "Diego Reni", False),
        ("Maren Oduya", "Ada Ek", False),
    ],
)
def test_names_under_one_key_agree_or_not(one: str, other: str, agree: bool) -> None:
    first, second = read_name(one), read_name(other)
    assert isinstance(first, PersonName)
    assert isinstance(second, PersonName)
    assert names_agree(first, second) is agree
    assert names_agree(second, first) is agree


def test_a_text_in_the_name_column_is_nobody() -> None:
    name = read_name("word " * 100)
    assert isinstance(name, NoName)
    assert "longer than 300 characters" in name.reason
