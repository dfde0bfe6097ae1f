"""A wide CSV as sales tools export them: invented people, a few of them twice, a few rows that cannot be used."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from random import Random

HEADER = (
    "First Name", "Last Name", "Full Name", "Email", "Email Status", "Job Title", "Headline", "Company", "Website", "Industry",
    "Company Size", "Annual Revenue", "Company Phone", "Company Street", "Company Postal Code", "LinkedIn URL", "City", "State",
    "Country", "Start Date", "About", "Language", "Mobile Phone", "Direct Phone", "Seniority", "Departments", "Lists",
    "Last Contacted", "Technologies", "Keywords", "Facebook URL", "Twitter URL", "Owner Notes", "Lead Score", "Created At",
    "Record Source",
)  # fmt: skip
_SYLLABLES = [
    "ma",
    "ren",
    "te",
    "o",
    "die",
    "go",
    "pri",
    "ya",
    "a",
    "da",
    "lu",
    "kas",
    "i",
    "nes",
    "yu",
    "ki",
    "so",
    "fia",
    "ol",
    "fre",
    "na",
    "dia",
    "ka",
    "rim",
    "el",
    "bru",
    "no",
    "chi",
    "ra",
    "fem",
    "ro",
    "han",
]
_ROLES = [
    "Sales",
    "Marketing",
    "Finance",
    "Operations",
    "Platform Engineering",
    "Customer Success",
    "People",
    "Procurement",
    "Security",
    "Data",
]
_RANKS = ("VP", "Head of", "Director of", "Manager,", "Chief of", "Senior Specialist,")
_TRADES = [
    "Insurance",
    "Logistics",
    "Software",
    "Hospitals",
    "Food production",
    "Retail",
    "Energy",
    "Banking",
    "Education",
    "Construction",
]
_PLACES = (
    ("Ghent", "East Flanders", "Belgium"), ("Porto", "Porto", "Portugal"), ("Ulm", "Baden-Württemberg", "Germany"),
    ("Lyon", "Rhône", "France"), ("Leeds", "England", "United Kingdom"), ("Denver", "Colorado", "United States"),
)  # fmt: skip
_ABOUT = (
    "I help {role} teams in {trade} see what their numbers say before the quarter is over, and I write about it.",
    "Seit zehn Jahren arbeite ich mit Teams im Bereich {trade} daran, dass weniger Papier von Tisch zu Tisch wandert.",
    "J'accompagne les équipes {role} pour que le travail de tous les jours soit plus simple, surtout dans {trade}.",
)
#: One row in so many: says a person again, has no name, tells about itself.
AGAIN, NAMELESS, TALKS = 50, 400, 4


def write(path: Path, *, rows: int, seed: int = 4) -> None:
    """A file with that many records under the header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        writer.writerows(_rows(rows, Random(seed)))


def _rows(rows: int, random: Random) -> Iterator[list[str]]:
    for number in range(rows):
        person = number - 1 if number % AGAIN == AGAIN - 1 else number
        row = _row(person, Random(person), companies=max(rows // 20, 1))
        if number % NAMELESS == NAMELESS - 1:
            row[:3] = ["", "", ""]
        row[33] = str(random.randrange(100))
        yield row


def _name(random: Random, syllables: int) -> str:
    return "".join(random.choices(_SYLLABLES, k=syllables)).capitalize()


def _row(number: int, random: Random, *, companies: int) -> list[str]:
    first, last = _name(random, 2), _name(random, 3)
    company = number * 7919 % companies
    role, trade, place = random.choice(_ROLES), _TRADES[company % len(_TRADES)], random.choice(_PLACES)
    domain = f"harbour-{company}.example"
    about = random.choice(_ABOUT).format(role=role, trade=trade) if number % TALKS == 0 else ""
    return [
        first, last, f"{first} {last}", f"{first}.{last}.{number}@{domain}".replace(" ", "").lower(), "Verified",
        f"{random.choice(_RANKS)} {role}", f"{role} at Harbour {company} | building calm teams, one habit at a time",
        f"Harbour {company} GmbH", f"https://www.{domain}", trade, str(50 + company % 900), f"{company % 70} M",
        f"+49 30 {company:06}", f"Quay {company % 90}", f"{10_000 + company % 80_000}",
        f"https://www.linkedin.com/in/person-{number}", *place, f"{2010 + number % 16}-{1 + number % 12:02}", about,
        "", f"'+49 170 {number:07}", "", "director", role, "Spring list", "", "CRM; ERP; Data warehouse",
        "calm, teams, habits, quarterly planning, forecasting", "", "", "met at the fair; asked for a call in the new year",
        "", "2026-10-04 09:12", "export",
    ]  # fmt: skip
