"""Which addresses of the internet may be fetched for somebody: the rule alone, without any connection."""

from __future__ import annotations

import ipaddress
from collections.abc import Set as AbstractSet
from urllib.parse import urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: What `is_global` of some Python releases lets through, or what carries another address inside.
_NEVER = tuple(
    ipaddress.ip_network(text)
    for text in (
        "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4", "::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48",
        "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10",
    )
)  # fmt: skip
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
WEB_PORTS = frozenset({80, 443})
MAX_ADDRESS = 1_000


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address


def is_public(text: str) -> bool:
    """Whether an IP address is one of the open internet: nothing private, local, shared, reserved or multicast."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    inner = _inner(address)
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id:
        return False
    if inner is address and any(address in network for network in _NEVER):
        return False
    return inner.is_global and not inner.is_multicast and not any(inner in network for network in _NEVER)


def url_fault(url: str, *, ports: AbstractSet[int] = WEB_PORTS) -> str:
    """What is wrong with the form of an address, as a sentence; "" when it may be tried."""
    if len(url) > MAX_ADDRESS or any(sign.isspace() or ord(sign) < 32 for sign in url):
        return f"The address has blanks in it or is longer than {MAX_ADDRESS:,} characters."
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return "The address is not spelled as one of the web."
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "The address has to begin with https:// or http:// and name a site."
    if parts.username is not None or parts.password is not None:
        return "The address holds a user name or password; only public pages are read."
    if port not in ports:
        return f"The address names port {port}; only the web’s own ports 80 and 443 are used."
    return ""
