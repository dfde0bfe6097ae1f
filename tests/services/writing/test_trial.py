"""A small question to the team's model, over a real server, and what came of it in words."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from messaging.writing.adapters.trial import try_model
from outreach.campaigns.domain.budget import ModelAccess
from outreach.egress import Guard
from tests.mailservers import free_port, listening
from tests.services.writing.model_server import Reply, failing, model_server

KEY = "sk-team-of-north"


def here(url: str) -> Guard:
    parts = urlsplit(url)
    return Guard(allow=frozenset({(str(parts.hostname), parts.port or 80)}))


def access(url: str, **changes: str) -> ModelAccess:
    return ModelAccess(**{"base_url": url, "name": "their-own", "key": KEY, **changes})


def test_it_answers_and_is_asked_nothing_of_anybody() -> None:
    with model_server() as server:
        server.will(Reply('{"ready": true}'))
        tried = try_model(access=access(server.url), guard=here(server.url))
    assert tried.works
    assert "their-own answers in" in tried.text
    assert server.requests[0]["messages"] == [
        {"role": "user", "content": 'Answer with the JSON object {"ready": true} and nothing else.'}
    ]


def test_without_a_name_the_first_that_is_listed_is_asked() -> None:
    with model_server() as server:
        server.will(Reply('{"ready": true}'))
        assert "only-one answers" in try_model(access=access(server.url, name=""), guard=here(server.url)).text


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (failing(401, message=f"Incorrect API key provided: {KEY}"), "check the key"),
        (failing(404, message="no such model"), "check the name of the model and the address"),
        (failing(429, message="You exceeded your quota", code="insufficient_quota"), "quota is used up"),
        (failing(503), "503"),
        (Reply("I would rather not."), "No usable answer"),
        (Reply(body=b"<html>a parking page</html>"), "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_without_the_key(reply: Reply, words: str) -> None:
    with model_server() as server:
        server.will(reply)
        tried = try_model(access=access(server.url), guard=here(server.url))
    assert not tried.works
    assert words in tried.text
    assert KEY not in tried.text
    assert "OPENAI" not in tried.text


def test_a_redirect_into_the_inner_network_is_not_followed() -> None:
    with model_server() as inner, model_server() as server:
        inner.will(Reply('{"ready": true}'))
        server.will(Reply(status=307, headers={"Location": f"{inner.url}/chat/completions"}, body=b""))
        tried = try_model(access=access(server.url), guard=here(server.url))
    assert not tried.works
    assert inner.requests == []


def test_the_network_is_told_in_words() -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    assert "cannot be reached; check the address" in try_model(access=access(url), guard=here(url)).text
    assert "PRIVATE_SERVERS" in try_model(access=access(url), guard=Guard()).text

    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("Name or service not known")

    tried = try_model(access=access("https://models.nowhere.example/v1"), guard=Guard(resolve=unknown))
    assert "Check the spelling" in tried.text
    with listening(closes=True) as port:
        url = f"http://127.0.0.1:{port}/v1"
        assert "cannot be reached" in try_model(access=access(url), guard=here(url)).text


def test_a_name_that_leads_inside_only_when_connected_is_refused_there() -> None:
    """The second answer of the name server differs from the first, which was checked."""
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]])
    with model_server() as server:
        server.will(Reply('{"ready": true}'))
        port = urlsplit(server.url).port
        guard = Guard(resolve=lambda _host, _port: next(answers))
        tried = try_model(access=access(f"http://rebound.example:{port}/v1"), guard=guard)
    assert not tried.works
    assert server.requests == []
