"""Strict readers of environment variables.

A reader never guesses: what it cannot read it records as a `Fault` that names the variable and
says what to do, and returns a harmless value. The settings stay importable, `manage.py check`
lists every fault at once, and web and workers refuse to start while there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
BROKER_SCHEMES = ("redis", "rediss", "redis+socket", "amqp", "amqps")


@dataclass(frozen=True)
class Fault:
    """What is wrong with one variable, and what to do about it. Never holds the value: it may be a secret."""

    variable: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.variable} {self.problem}: {self.remedy}"


@dataclass(frozen=True)
class MailServer:
    """Where outgoing mail goes; `tls` and `ssl` as Django means them: STARTTLS, and TLS from the start."""

    host: str = "localhost"
    port: int = 25
    user: str = ""
    password: str = ""
    tls: bool = False
    ssl: bool = False


@dataclass
class Environment:
    """The variables of one process, and the faults found while reading them."""

    variables: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)

    def given(self, name: str) -> bool:
        """Whether the variable is set to something; an empty value counts as absent."""
        return bool(self.variables.get(name, "").strip())

    def text(self, name: str, *, default: str = "") -> str:
        return self.variables.get(name, "").strip() or default

    def required(self, name: str, *, remedy: str, minimum: int = 1) -> str:
        value = self.text(name)
        if not value:
            self._fault(name, "is not set", remedy)
        elif len(value) < minimum:
            self._fault(name, f"is shorter than {minimum} characters", remedy)
        return value

    def boolean(self, name: str, *, default: bool) -> bool:
        value = self.text(name).lower()
        if value in TRUE or value in FALSE:
            return value in TRUE
        if value:
            self._fault(name, "is neither true nor false", "use true or false")
        return default

    def integer(self, name: str, *, default: int, minimum: int, maximum: int) -> int:
        value = self.text(name)
        if not value:
            return default
        if value.isascii() and value.isdigit() and minimum <= int(value) <= maximum:
            return int(value)
        self._fault(name, "is not a usable number", f"use a whole number from {minimum} to {maximum}")
        return default

    def amount(self, name: str) -> Decimal:
        """A sum of money, not below nought; nought when the variable is absent."""
        value = self.text(name, default="0")
        try:
            amount = Decimal(value)
        except InvalidOperation:
            amount = Decimal(-1)
        if amount.is_finite() and amount >= 0:
            return amount
        self._fault(name, "is not an amount", "use a number as 0.25")
        return Decimal(0)

    def choice(self, name: str, *, options: tuple[str, ...], default: str) -> str:
        value = self.text(name, default=default)
        if value not in options:
            self._fault(name, "is not one of its values", f"use {', '.join(options)}")
            return default
        return value

    def words(self, name: str, *, default: list[str]) -> list[str]:
        """A list separated by commas."""
        values = [word.strip() for word in self.text(name).split(",") if word.strip()]
        return values or default

    def servers(self, name: str) -> frozenset[tuple[str, int]]:
        """Addresses with their ports, `127.0.0.1:1025,[::1]:143`. Numbers only: a name could come to mean another place."""
        found = set()
        for word in self.words(name, default=[]):
            host, _, port = word.rpartition(":")
            try:
                found.add((str(ip_address(host.strip("[]"))), int(port)))
            except ValueError:
                self._fault(name, "holds an entry that is no address with a port", "write 10.0.0.5:587,[fd00::5]:993")
        return frozenset(found)

    def keys(self, name: str) -> dict[int, str]:
        """Numbered keys, `1:first,2:second`: all are read, the highest number writes."""
        found: dict[int, str] = {}
        for word in self.words(name, default=[]):
            number, _, key = word.partition(":")
            if number.isascii() and number.isdigit() and 0 < int(number) < 32_000 and len(key) >= 20:
                found[int(number)] = key
            else:
                self._fault(
                    name, "holds an entry that is no numbered key", "write 1:KEY,2:KEY with 20 characters or more"
                )
        return found

    def url(self, name: str, *, schemes: tuple[str, ...], default: str = "") -> str:
        """An absolute URL with a host, without a slash at its end."""
        value = self.text(name, default=default)
        if not value:
            return ""
        parts = self._split(name, value)
        if parts is None:
            return default
        if parts.scheme not in schemes or not parts.hostname:
            self._fault(name, "is not an address that can be used", f"write {schemes[0]}://HOST ({', '.join(schemes)})")
            return default
        return value.rstrip("/")

    def database(self, name: str) -> dict[str, object]:
        """`postgres://user:password@host:port/name?sslmode=…`; `?host=/folder` for a Unix socket."""
        remedy = "write postgres://USER:PASSWORD@HOST:5432/NAME, special characters percent-encoded"
        parts = self._split(name, self.text(name))
        if parts is None:
            return {}
        options = dict(parse_qsl(parts.query))
        database = unquote(parts.path.removeprefix("/"))
        if parts.scheme not in {"postgres", "postgresql"}:
            self._fault(name, "does not name a PostgreSQL database", remedy)
            return {}
        if not database or "/" in database:
            self._fault(name, "names no database", remedy)
            return {}
        return {
            "NAME": database,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "OPTIONS": options,
        }

    def broker(self, name: str) -> str:
        """The broker's URL as Celery takes it."""
        value = self.text(name)
        parts = self._split(name, value)
        if parts is None:
            return ""
        if parts.scheme not in BROKER_SCHEMES:
            self._fault(name, "names no broker that is supported", f"use one of {', '.join(BROKER_SCHEMES)}")
        elif parts.scheme != "redis+socket" and not parts.hostname:
            self._fault(name, "names no host", "write redis://HOST:6379/0")
        else:
            return value
        return ""

    def mail(self, name: str) -> MailServer:
        """`smtp://user:password@host:port?tls=starttls`; tls is `starttls`, `implicit` or `none`."""
        remedy = "write smtp://USER:PASSWORD@HOST:587?tls=starttls (tls: starttls, implicit or none)"
        parts = self._split(name, self.text(name))
        if parts is None:
            return MailServer()
        options = dict(parse_qsl(parts.query))
        tls = options.pop("tls", "none")
        if parts.scheme != "smtp" or not parts.hostname:
            self._fault(name, "is no SMTP server", remedy)
            return MailServer()
        if options or tls not in {"starttls", "implicit", "none"}:
            self._fault(name, "has an option that is not known", remedy)
            return MailServer()
        return MailServer(
            host=parts.hostname,
            port=parts.port or {"starttls": 587, "implicit": 465, "none": 25}[tls],
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            tls=tls == "starttls",
            ssl=tls == "implicit",
        )

    def _split(self, name: str, value: str) -> SplitResult | None:
        try:
            parts = urlsplit(value)
            _ = parts.port
        except ValueError:
            self._fault(name, "is not a URL", "check brackets, the port number, and percent-encode special characters")
            return None
        return parts

    def _fault(self, variable: str, problem: str, remedy: str) -> None:
        self.faults.append(Fault(variable, problem, remedy))
