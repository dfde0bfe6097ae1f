"""The single files of a LinkedIn archive, row by row. Both the 2018 form and today's; names are matched loosely."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from prospects.domain import facts
from prospects.domain.evidence import Evidence, Kind
from prospects.domain.identity import email_keys, post_id, profile_keys
from prospects.domain.imported import ImportedPerson, fact, name_evidence, row_key
from prospects.domain.names import NoName, PersonName, name_from_parts
from prospects.domain.wild_dates import Period, period_of, read_date

_BROKEN_LINE = re.compile(r'"\r?\n"')
_LINE = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class Line:
    """One row of one file: cells by folded column name, where it stands, and when the archive was made."""

    cells: Mapping[str, str]
    row: int
    index: int
    place: str
    observed_at: date

    def get(self, *names: str) -> str:
        """The first of these columns that says something."""
        return next((value for name in names if (value := facts.clean(self.cells.get(name, "")))), "")

    def ref(self, name: str) -> str:
        return f"{name}[{self.index}]"


#: What a reader makes of a row: evidence about the owner, or the reason why it is not used.
OwnerReader = Callable[[Line], tuple[Evidence, ...] | str]


def owner_name(line: Line) -> PersonName | NoName:
    return name_from_parts(line.get("firstname"), line.get("lastname"))


def _profile(line: Line) -> tuple[Evidence, ...] | str:
    name = owner_name(line)
    found: list[Evidence] = []
    if isinstance(name, PersonName):
        found.append(name_evidence(name, observed_at=line.observed_at, source=line.place))
    for kind, ref, text in (
        (Kind.HEADLINE, "headline", line.get("headline")),
        (Kind.ABOUT, "about", line.get("summary")),
        (Kind.LOCATION, "location", line.get("geolocation", "location", "country")),
    ):
        if text:
            found.append(fact(kind, text, ref=ref, observed_at=line.observed_at, source=line.place))
    return tuple(found) or "it says nothing about the person"


def _period(line: Line, *, open_when_blank: bool = True) -> Period:
    start, end = line.get("startedon", "startdate"), line.get("finishedon", "enddate")
    return period_of(start, end, open_when_blank=open_when_blank)


def _position(line: Line) -> tuple[Evidence, ...] | str:
    title, company = line.get("title"), line.get("companyname")
    if not title and not company:
        return "it names neither a title nor a company"
    return (
        facts.position(
            title=title,
            company=company,
            period=_period(line),
            description=line.get("description"),
            location=line.get("location"),
            ref=line.ref("positions"),
            observed_at=line.observed_at,
            source=line.place,
        ),
    )


def _education(line: Line) -> tuple[Evidence, ...] | str:
    school = line.get("schoolname")
    if not school:
        return "it names no school"
    item = facts.education(
        school=school,
        degree=line.get("degreename"),
        period=_period(line, open_when_blank=False),
        ref=line.ref("education"),
        observed_at=line.observed_at,
        source=line.place,
    )
    return (item,)


def _skill(line: Line) -> tuple[Evidence, ...] | str:
    name = line.get("name")
    if not name:
        return "it names no skill"
    skill = fact(
        Kind.SKILL,
        name,
        ref=line.ref("skills"),
        observed_at=line.observed_at,
        source=line.place,
        fields=(("name", name),),
    )
    return (skill,)


def _language(line: Line) -> tuple[Evidence, ...] | str:
    name = line.get("name")
    if not name:
        return "it names no language"
    spoken = facts.spoken_language(
        name=name,
        level=line.get("proficiency"),
        ref=line.ref("languages"),
        observed_at=line.observed_at,
        source=line.place,
    )
    return (spoken,)


def _dated(kind: Kind, ref: str, columns: Mapping[str, str], dates: tuple[str, ...]) -> OwnerReader:
    def read(line: Line) -> tuple[Evidence, ...] | str:
        words = tuple((field, line.get(column)) for field, column in columns.items())
        if not words[0][1]:
            return f"it has no {words[0][0]}"
        item = facts.dated(
            kind,
            words=words,
            when=read_date(line.get(*dates)),
            ref=line.ref(ref),
            observed_at=line.observed_at,
            source=line.place,
        )
        return (item,)

    return read


def _project(line: Line) -> tuple[Evidence, ...] | str:
    title = line.get("title")
    if not title or title.casefold() == "untitled":
        return "it has no title"
    item = facts.project(
        title=title,
        url=line.get("url"),
        period=_period(line, open_when_blank=False),
        ref=line.ref("projects"),
        observed_at=line.observed_at,
        source=line.place,
    )
    return (item,)


def mend_breaks(text: str) -> str:
    """LinkedIn writes each line break inside a post as quote, break, quote."""
    return _LINE.sub("\n", _BROKEN_LINE.sub("\n", text)).strip()


def _share(line: Line) -> tuple[Evidence, ...] | str:
    text = mend_breaks(line.get("sharecommentary"))
    if not text:
        return "it is a repost without words of their own"
    link = line.get("sharelink")
    when = read_date(line.get("date"))
    post = facts.own_words(
        Kind.POST,
        text,
        when=when.interval,
        url=link,
        post_id=post_id(link),
        ref=line.ref("posts"),
        observed_at=line.observed_at,
        source=line.place,
    )
    return (post,)


def _comment(line: Line) -> tuple[Evidence, ...] | str:
    text = mend_breaks(line.get("message"))
    if not text:
        return "it has no words"
    link = line.get("link")
    comment = facts.own_words(
        Kind.COMMENT,
        text,
        when=read_date(line.get("date")).interval,
        url=link,
        on=post_id(link),
        ref=line.ref("comments"),
        observed_at=line.observed_at,
        source=line.place,
    )
    return (comment,)


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the archive: how it is named, the columns that prove it, and what is read from it."""

    stems: tuple[str, ...]
    columns: frozenset[str]
    read: OwnerReader | None = None
    unused: str = ""
    continued: bool = False
    only_by_name: bool = False


def _part(stems: str, columns: str, read: OwnerReader | None = None, **more: object) -> Part:
    return Part(tuple(stems.split("|")), frozenset(columns.split()), read, **more)  # type: ignore[arg-type]


CONNECTIONS = _part("connections", "firstname lastname company position connectedon")
PROFILE = _part("profile", "firstname lastname headline summary", _profile)
ADDRESSES = _part("email addresses", "emailaddress confirmed", unused="it holds the owner's own addresses")
USED = (
    PROFILE,
    _part("positions", "companyname title startedon finishedon", _position),
    _part("education", "schoolname degreename startdate enddate", _education),
    _part("skills", "name", _skill, only_by_name=True),
    _part("languages", "name proficiency", _language),
    _part(
        "certifications",
        "name url authority startedon",
        _dated(Kind.CERTIFICATION, "certifications", {"name": "name", "issuer": "authority"}, ("startedon",)),
    ),
    _part(
        "honors",
        "title description",
        _dated(Kind.AWARD, "awards", {"title": "title"}, ("issuedon", "issuedate")),
        only_by_name=True,
    ),
    _part("projects", "title description url", _project, only_by_name=True),
    _part(
        "publications",
        "name publishedon publisher",
        _dated(
            Kind.PUBLICATION,
            "publications",
            {"title": "name", "publisher": "publisher", "url": "url"},
            ("publishedon",),
        ),
    ),
    _part("shares", "date sharelink sharecommentary", _share),
    _part("shares", "date sharetitle sharecommentary", _share),
    _part("comments", "date link message", _comment, continued=True),
)
UNUSED = (
    _part("messages", "from to date subject content", unused="private messages are not used as evidence"),
    _part("invitations", "from to sentat direction", unused="an invitation proves no connection"),
    _part(
        "contacts|importedcontacts",
        "source firstname lastname emails phonenumbers",
        unused="an address book is not used",
    ),
    _part("reactions", "date type link", unused="a reaction is not the person's own words"),
    _part("endorsement received info", "endorsementdate skillname", unused="others' endorsements are not used"),
    _part("endorsement given info", "endorsementdate skillname", unused="endorsements are not used"),
    _part(
        "recommendations received",
        "firstname lastname text status",
        unused="others' words about the owner are not used",
    ),
    _part("recommendations given", "firstname lastname text status", unused="recommendations are not used"),
    _part("ad targeting", "memberage", unused="an advertiser's guesses are not evidence"),
    _part("company follows", "organization followedon", unused="following a company says nothing about a person"),
    _part("profile summary", "profilesummary", unused="the profile holds the same words"),
    ADDRESSES,
)


def connection(line: Line, *, format_name: str) -> ImportedPerson | str:
    """A row of Connections.csv as a first-degree prospect."""
    name = name_from_parts(line.get("firstname"), line.get("lastname"))
    if isinstance(name, NoName):
        blank = not any(value.strip() for key, value in line.cells.items() if key != "connectedon")
        return "only the date of connecting is given: the member left LinkedIn" if blank else name.reason
    company, position = line.get("company"), line.get("position")
    connected = read_date(line.get("connectedon"))
    evidence = [name_evidence(name, observed_at=line.observed_at, source=line.place)]
    if position or company:
        evidence.append(
            facts.position(
                title=position,
                company=company,
                period=Period(current=True),
                ref="position",
                observed_at=line.observed_at,
                source=line.place,
            )
        )
    keys = (*profile_keys(line.get("url")), *email_keys(line.get("emailaddress")))
    return ImportedPerson(
        row=line.row,
        place=line.place,
        name=name,
        keys=keys or (row_key(format_name, name.full.casefold(), line.get("connectedon")),),
        evidence=tuple(evidence),
        company=company,
        first_degree=True,
        connected_on=connected.interval,
    )
