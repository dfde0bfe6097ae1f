"""The door to other people's servers, against a real server on this machine."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from outreach.addresses import is_public, url_fault
from outreach.egress import Guard
from prospects.adapters.web import WebFetcher
from prospects.domain.web import Asked, Fetched, NotModified, Unfetched
from tests.webserver import HERE, Page, Site, a_site

PAGE = Page(body=b"<html><body>hello</body></html>")


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site({"/": PAGE}) as running:
        yield running


def reason(outcome: object) -> str:
    assert isinstance(outcome, Unfetched), outcome
    return outcome.reason


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1",  # noqa: S104  # no server is bound here
         "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::7f00:1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::",
        "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:f5ff:fffe", "100::1", "not an address", "", "2130706433", "0x7f.1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_of_the_open_internet_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_an_address_of_the_open_internet_is_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://a.example/x", "has to begin"), ("file:///etc/passwd", "has to begin"), ("gopher://a.example", "has to begin"),
        ("//a.example", "has to begin"), ("http://", "has to begin"), ("http://user:pw@a.example/", "password"),
        ("http://a.example:22/", "port 22"), ("http://a.example:6379/", "port 6379"), ("http://a.example:99999/", "not spelled"),
        ("http://[::1", "not spelled"), ("http://a.example/\r\nHost: b", "blanks"), ("http://a.example/" + "x" * 1_000, "longer"),
    ],
)  # fmt: skip
def test_the_form_of_an_address_is_checked(url: str, said: str) -> None:
    assert said in url_fault(url)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
    ],
)
def test_this_machine_is_not_reached_however_it_is_spelled(host: str) -> None:
    with a_site({"/": PAGE}) as site:
        guard = Guard(
            allow=frozenset({("192.0.2.77", site.port)})
        )  # lets the port pass; the address is not this machine's
        outcome = WebFetcher(guard=guard, seconds=2.0).fetch(Asked(f"http://{host}:{site.port}/"))
        assert isinstance(outcome, Unfetched)
        assert site.asked == []


def test_the_product_has_no_allowance() -> None:
    assert WebFetcher().guard.allow == frozenset()


def test_a_page_is_read(site: Site) -> None:
    outcome = site.fetcher().fetch(Asked(f"{site.url}/"))
    assert isinstance(outcome, Fetched)
    assert (outcome.body, outcome.content_type, outcome.charset) == (PAGE.body, "text/html", "utf-8")
    assert site.paths() == ["/robots.txt", "/"]
    assert site.asked[1][1]["host"] == f"news.example:{site.port}"


def test_a_name_is_asked_once_for_each_connection_and_the_answer_is_what_is_connected_to(site: Site) -> None:
    answers = iter([[HERE], [HERE], ["127.0.0.1"], ["10.0.0.1"]])
    asked = []

    def rebinding(host: str, _port: int) -> list[str]:
        asked.append(host)
        return next(answers)

    guard = Guard(resolve=rebinding, allow=frozenset({(HERE, site.port)}))
    fetcher = WebFetcher(guard=guard, seconds=2.0)
    assert isinstance(fetcher.fetch(Asked(f"{site.url}/")), Fetched)
    assert len(asked) == 2  # robots.txt and the page
    fetcher.fetch(Asked(f"{site.url}/"))
    assert "private" in reason(fetcher.fetch(Asked(f"{site.url}/")))  # the name server changed its mind


def test_one_private_address_among_public_ones_is_a_trap(site: Site) -> None:
    guard = Guard(resolve=lambda _h, _p: [HERE, "10.0.0.1"], allow=frozenset({(HERE, site.port)}))
    assert "private" in reason(WebFetcher(guard=guard).fetch(Asked(f"{site.url}/")))
    assert site.asked == []


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("http://10.0.0.1/", "private"), ("http://169.254.169.254/latest/meta-data/", "private"), ("file:///etc/passwd", "has to begin"),
        ("http://[::1]/", "private"), ("http://localhost/", "private"), ("ftp://a.example/", "has to begin"), ("http://a.example:6379/", "port"),
    ],
)  # fmt: skip
def test_a_redirect_to_a_private_place_is_not_followed(site: Site, target: str, said: str) -> None:
    site.pages["/away"] = Page(status=302, headers={"Location": target})
    told = reason(site.fetcher().fetch(Asked(f"{site.url}/away")))
    assert "sends on" in told
    assert said in told


def test_a_redirect_on_the_open_web_is_followed_but_not_for_ever(site: Site) -> None:
    site.pages |= {
        "/old": Page(status=301, headers={"Location": "/"}),
        "/loop": Page(status=302, headers={"Location": "/loop"}),
    }
    outcome = site.fetcher().fetch(Asked(f"{site.url}/old"))
    assert isinstance(outcome, Fetched)
    assert outcome.url == f"{site.url}/"
    assert "more than 5 times" in reason(site.fetcher().fetch(Asked(f"{site.url}/loop")))


def test_what_robots_txt_forbids_is_not_asked_for(site: Site) -> None:
    site.pages |= {
        "/robots.txt": Page(body=b"User-agent: *\nDisallow: /private\n"), "/private/x": PAGE,
        "/hop": Page(status=302, headers={"Location": "/private/x"}),
    }  # fmt: skip
    fetcher = site.fetcher()
    assert isinstance(fetcher.fetch(Asked(f"{site.url}/")), Fetched)
    assert "robots.txt" in reason(fetcher.fetch(Asked(f"{site.url}/private/x")))
    assert "robots.txt" in reason(fetcher.fetch(Asked(f"{site.url}/hop")))
    assert "/private/x" not in site.paths()
    assert site.paths().count("/robots.txt") == 1


def test_rules_for_us_by_name_are_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = Page(body=b"User-agent: footnote\nDisallow: /\n\nUser-agent: *\nAllow: /\n")
    assert "robots.txt" in reason(site.fetcher().fetch(Asked(f"{site.url}/")))


@pytest.mark.parametrize(("status", "read"), [(404, True), (403, True), (500, False), (503, False), (429, False)])
def test_without_readable_rules_a_server_in_trouble_is_left_alone(site: Site, status: int, read: bool) -> None:
    site.pages["/robots.txt"] = Page(status=status)
    assert isinstance(site.fetcher().fetch(Asked(f"{site.url}/")), Fetched) is read


def test_a_waiting_time_in_the_rules_is_told(site: Site) -> None:
    site.pages["/robots.txt"] = Page(body=b"User-agent: *\nCrawl-delay: 10\n")
    outcome = site.fetcher().fetch(Asked(f"{site.url}/"))
    assert isinstance(outcome, Fetched)
    assert not outcome.articles


def test_what_has_not_changed_is_not_sent_again(site: Site) -> None:
    site.pages["/"] = Page(
        body=PAGE.body,
        headers={"ETag": '"v1"', "Last-Modified": "Tue, 01 Dec 2026 09:00:00 GMT", "Content-Type": "text/html"},
    )
    first = site.fetcher().fetch(Asked(f"{site.url}/"))
    assert isinstance(first, Fetched)
    again = site.fetcher().fetch(Asked(f"{site.url}/", etag=first.etag, last_modified=first.last_modified))
    assert again == NotModified()
    assert site.asked[-1][1]["if-modified-since"] == "Tue, 01 Dec 2026 09:00:00 GMT"


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        return


def drip(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, so that no single wait is long."""
    pace = threading.Event()
    try:
        for sign in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 4_000:
            handler.wfile.write(bytes([sign]))
            handler.wfile.flush()
            pace.wait(0.05)
    except OSError:
        return


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (Page(stream=endless), "more than"),
        (Page(body=b"x" * 4_000_000), "more than 3 MB"),
        (Page(body=gzip.compress(b"x" * 50_000_000), headers={"Content-Encoding": "gzip", "Content-Type": "text/html"}), "more than 3 MB"),
        (Page(body=b"x", headers={"Content-Encoding": "br", "Content-Type": "text/html"}), "compression"),
        (Page(body=b"no gzip", headers={"Content-Encoding": "gzip", "Content-Type": "text/html"}), "cannot be read"),
        (Page(body=b"x", headers={"Content-Type": "application/octet-stream"}), "neither a feed nor a page"),
        (Page(body=b"x", headers={"Content-Type": "image/png"}), "neither a feed nor a page"),
        (Page(stream=lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH\r\n")), "connection failed"),
        (Page(stream=lambda _handler: None), "connection failed"),
        (Page(status=404), "error 404"), (Page(status=410), "error 404"), (Page(status=403), "does not show"),
        (Page(status=500), "fault of its own"), (Page(status=204), "holds no page"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_bad_answer_is_told_in_plain_words(site: Site, page: Page, said: str) -> None:
    site.pages["/bad"] = page
    assert said in reason(site.fetcher().fetch(Asked(f"{site.url}/bad")))


def test_a_slow_answer_ends_at_the_deadline_however_it_drips(site: Site) -> None:
    site.pages["/slow"] = Page(stream=drip)
    began = time.monotonic()
    assert "did not answer in full" in reason(site.fetcher().fetch(Asked(f"{site.url}/slow")))
    assert time.monotonic() - began < 6


def test_a_gzipped_page_is_unpacked(site: Site) -> None:
    site.pages["/zip"] = Page(
        body=gzip.compress(PAGE.body), headers={"Content-Encoding": "gzip", "Content-Type": "text/html"}
    )
    outcome = site.fetcher().fetch(Asked(f"{site.url}/zip"))
    assert isinstance(outcome, Fetched)
    assert outcome.body == PAGE.body


def test_a_request_to_wait_is_passed_on(site: Site) -> None:
    site.pages["/busy"] = Page(status=429, headers={"Retry-After": "7200"})
    outcome = site.fetcher().fetch(Asked(f"{site.url}/busy"))
    assert isinstance(outcome, Unfetched)
    assert outcome.retry_after == 7_200


def test_a_name_that_nobody_knows_is_told() -> None:
    def nowhere(host: str, _port: int) -> list[str]:
        raise OSError(f"{host} is not known")

    assert "Check the spelling" in reason(WebFetcher(guard=Guard(resolve=nowhere)).fetch(Asked("https://no.example/")))
