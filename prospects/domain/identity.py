"""What tells one person or company from another: profile names, URNs, numeric ids, addresses, folded company names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import unquote


class KeyKind(StrEnum):
    """Stored in the database under these values."""

    __hash__ = str.__hash__

    LINKEDIN_SLUG = "linkedin_slug"
    LINKEDIN_URN = "linkedin_urn"
    LINKEDIN_ID = "linkedin_id"
    EMAIL = "email"
    SOURCE_ID = "source_id"


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """One identity key, already in the form it is compared in."""

    kind: KeyKind
    value: str


_PROFILE_PATH = re.compile(r"linkedin\.com/(?:in|pub|sales/(?:lead|people)|talent/profile)/([^/?#\s,]+)", re.IGNORECASE)
_URN = re.compile(r"AC[ow]AA[A-Za-z0-9_-]{5,}")
_MEMBER_URN = re.compile(r"urn:li:member:(\d+)\Z")
_EMAIL = re.compile(r"[^\s@,;<>\"'()]+@[^\s@,;<>\"'()]+\.[^\s@,;<>\"'().]{2,}")
_POST_ID = re.compile(r"(?:activity|share|ugcPost)[-:]?(\d{6,})", re.IGNORECASE)
_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]{2,}\Z")
_LEGAL_FORMS = (
    "inc incorporated llc llp ltd limited plc corp corporation co company gmbh ag kg kgaa ohg gbr ug se sa sas sarl "
    "sasu eurl srl spa sl slu sau bv nv vof cv ab oy oyj as asa aps pty pte lda ltda eireli spzoo kk wll fzc fze "
    "fzco pvt private lp mbh ev eg"
)
_LEGAL = frozenset(_LEGAL_FORMS.split())
#: Mail providers, networks and hosts of pages, under which many companies live.
_SHARED_HOSTS = (
    "gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.fr yahoo.de outlook.com hotmail.com hotmail.co.uk live.com "
    "msn.com icloud.com me.com aol.com gmx.de gmx.net gmx.com web.de t-online.de freenet.de orange.fr free.fr wanadoo.fr "
    "laposte.net libero.it virgilio.it tiscali.it uol.com.br bol.com.br terra.com.br proton.me protonmail.com mail.com "
    "mail.ru yandex.ru qq.com 163.com 126.com zoho.com fastmail.com linkedin.com facebook.com instagram.com twitter.com "
    "x.com youtube.com github.com github.io medium.com substack.com wordpress.com blogspot.com wixsite.com notion.site "
    "linktr.ee crunchbase.com sites.google.com docs.google.com"
)
_SHARED_DOMAINS = frozenset(_SHARED_HOSTS.split())
BLANKS = frozenset({"", "null", "none", "n/a", "na", "-", "--", "#n/a", "nan", "undefined", "[not provided]", "false"})
LONGEST_BLANK = max(map(len, BLANKS))


def is_blank(text: str) -> bool:
    """Whether a cell says nothing, nulls written as words included."""
    word = text.strip()
    return len(word) <= LONGEST_BLANK and word.casefold() in BLANKS


def profile_keys(address: str) -> tuple[Key, ...]:
    """The keys in a LinkedIn address: the decoded, lower-cased profile name, or the URN."""
    match = _PROFILE_PATH.search(address.strip())
    if not match:
        return ()
    name = unicodedata.normalize("NFC", unquote(unquote(match.group(1)))).strip().rstrip("/")
    if _URN.fullmatch(name):
        return (Key(KeyKind.LINKEDIN_URN, _person_of_urn(name)),)
    if "/sales/" in address.lower() or "/talent/" in address.lower():
        return ()
    return (Key(KeyKind.LINKEDIN_SLUG, name.casefold()[:500]),) if name else ()


def _person_of_urn(urn: str) -> str:
    """ACo… and ACw… of one member differ in their third letter only, which says who is looking."""
    return "AC?" + urn[3:]


def urn_key(text: str) -> Key | None:
    """The key of a bare or embedded URN ("ACoAA…", "urn:li:fsd_profile:ACoAA…", "urn:li:member:123")."""
    member = _MEMBER_URN.match(text.strip())
    if member:
        return Key(KeyKind.LINKEDIN_ID, member.group(1))
    match = _URN.search(text)
    return Key(KeyKind.LINKEDIN_URN, _person_of_urn(match.group(0))) if match else None


def numeric_key(text: str) -> Key | None:
    value = text.strip()
    return Key(KeyKind.LINKEDIN_ID, value) if value.isascii() and value.isdigit() and len(value) > 3 else None


def slug_key(text: str) -> Key | None:
    """The key of a bare profile name."""
    value = text.strip().strip("/")
    if is_blank(value):
        return None
    found = profile_keys(value if "/" in value else f"https://www.linkedin.com/in/{value}")
    return found[0] if found else None


def profile_url(keys: tuple[Key, ...]) -> str:
    """The address that a person opens, from the best key; "" without one."""
    by_kind = {key.kind: key.value for key in keys}
    slug = by_kind.get(KeyKind.LINKEDIN_SLUG)
    if slug:
        return f"https://www.linkedin.com/in/{slug}"
    urn = by_kind.get(KeyKind.LINKEDIN_URN)
    return f"https://www.linkedin.com/in/{urn.replace('?', 'o')}" if urn else ""


def email_keys(text: str) -> tuple[Key, ...]:
    """The lower-cased addresses in a cell, in order, each once."""
    found = (match.group(0).strip(".").casefold() for match in _EMAIL.finditer(text.replace("mailto:", "")))
    return tuple(Key(KeyKind.EMAIL, address) for address in dict.fromkeys(found) if len(address) <= 320)


def email_domain(address: str) -> str:
    return address.rpartition("@")[2].casefold().strip()


@lru_cache(maxsize=8_192)
def domain_of(text: str) -> str:
    """The bare domain of a web or e-mail address, "" when there is none."""
    host = re.sub(r"\A[a-z]+://", "", text.strip().casefold())
    host = re.split(r"[/?#:\s]", host.rpartition("@")[2], maxsplit=1)[0].removeprefix("www.")
    return host if _DOMAIN.match(host) else ""


def own_domain(text: str) -> str:
    """The domain that tells one company from another; "" where it belongs to a mail provider or a platform.

    Of "www.acme.example" and "careers.acme.example" the first stands for Acme; what stands before a name is kept, as
    without a list of public suffixes nothing safe can be cut off.
    """
    domain = domain_of(text)
    parts = domain.split(".")
    return "" if any(".".join(parts[place:]) in _SHARED_DOMAINS for place in range(len(parts))) else domain


def post_id(link: str) -> str:
    """The number of a post, share or activity in its address or URN."""
    match = _POST_ID.search(unquote(link))
    return match.group(1) if match else ""


@lru_cache(maxsize=32_768)
def normalized_company(name: str) -> str:
    """A company's name for comparing: case, accents, punctuation and legal suffixes folded. Never a prefix match."""
    plain = unicodedata.normalize("NFKD", name.casefold().replace("ß", "ss").replace("ø", "o").replace("&", " and "))
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    dotted = re.sub(r"(?<=\b\w)\.(?=\w\b|\s|$)", "", letters)
    words = "".join(sign if sign.isalnum() else " " for sign in dotted).split()
    while len(words) > 1 and (words[-1] in _LEGAL or (words[-1] == "and" and len(words) > 2)):
        words.pop()
    return " ".join(words)[:300]
