"""A server that means harm, or is merely broken: whatever comes over the wire, a draft ends, in time, and costs what was counted."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from messaging.writing.adapters.openai_model import OpenAIModel, SystemClock
from messaging.writing.domain.json_answer import NotFound, find_object
from messaging.writing.domain.retry import RetryPolicy
from messaging.writing.ports import Message, ModelAnswer, ModelFailure, ModelRequest
from tests.services.writing.model_server import USAGE

REQUEST = ModelRequest(messages=(Message("user", "Write."),), schema={}, schema_name="writing", temperature=0.0)
ONCE = RetryPolicy(attempts=1, budget=1.0)
Behave = Callable[[socket.socket, threading.Event], None]


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        """Reads a request to its end, then lets the server do what it likes with the connection."""
        server: Any = self.server
        heard = b""
        with suppress(OSError):
            while REQUEST.messages[0].content.encode() not in heard:
                piece = self.request.recv(1_000_000)
                if not piece:
                    return
                heard += piece
            server.behave(self.request, server.over)


@contextmanager
def raw_server(behave: Behave) -> Iterator[str]:
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Handler)
    holder: Any = server
    holder.behave, holder.over = behave, threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        holder.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def asked(behave: Behave, *, timeout: float = 1.0) -> tuple[ModelAnswer | ModelFailure, float]:
    with raw_server(behave) as url:
        model = OpenAIModel(base_url=url, api_key="k", model="m", timeout=timeout, policy=ONCE, clock=SystemClock())
        begun = time.monotonic()
        answer = model.complete(request=REQUEST)
        took = time.monotonic() - begun
        model.close()
        return answer, took


def http(body: bytes, kind: str = "application/json", length: int | None = None) -> bytes:
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body) if length is None else length}\r\n\r\n"
    )
    return head.encode() + body


def completion(**changes: Any) -> bytes:
    message = {"role": "assistant", "content": "{}"}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": USAGE,
            **changes,
        }
    ).encode()


def says(**message: Any) -> bytes:
    return completion(choices=[{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}])


def drips(connection: socket.socket, over: threading.Event) -> None:
    """A byte now and then, for ever: never late by itself, never done."""
    connection.sendall(http(b"", length=10_000_000))
    while not over.wait(0.2):
        connection.sendall(b" ")


def floods(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    for _ in range(300):
        connection.sendall(b" " * 1_000_000)


def streams_events(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not over.wait(0.2):
        connection.sendall(b'10\r\ndata: {"a": 1}\n\n\r\n')


def resets(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(http(b"{", length=100))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


@pytest.mark.parametrize("behave", [drips, floods, streams_events, resets], ids=lambda one: one.__name__)
def test_no_answer_takes_longer_than_was_said(behave: Behave) -> None:
    answer, took = asked(behave)
    assert isinstance(answer, ModelFailure)
    assert took < 2.5, took


DEEP = b"[" * 100_000
BODIES: dict[str, bytes] = {
    "deep": DEEP,
    "deep inside": completion(extra="@").replace(b'"@"', DEEP + b"]" * 100_000),
    "html": b"<html><h1>Welcome</h1>",
    "null": b"null",
    "number": b"3",
    "huge number": b"9" * 10_000,
    "list": b"[]",
    "choices object": completion(choices={"0": 1}),
    "choices text": completion(choices="abc"),
    "choices null": completion(choices=[None]),
    "message text": completion(choices=[{"index": 0, "message": "hello"}]),
    "message list": completion(choices=[{"index": 0, "message": [1]}]),
    "choice number": completion(choices=[3]),
    "content parts": says(content=[{"type": "text", "text": "{}"}]),
    "tool calls": says(
        content=None, tool_calls=[{"id": "1", "type": "function", "function": {"name": "send", "arguments": "{}"}}]
    ),
    "refusal object": says(content=None, refusal={"a": 1}),
    "refusal long": says(content=None, refusal="no " * 1_000_000),
    "refusal zero byte": says(content=None, refusal="no\x00\ud800"),
    "nan": says(content='{"subject": NaN}'),
    "deep content": says(content="[" * 150_000),
    "large": says(content="x" * 5_000_000),
    "not utf-8": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("name", BODIES)
def test_every_body_becomes_an_answer_or_a_short_reason(name: str) -> None:
    answer, took = asked(lambda connection, _: connection.sendall(http(BODIES[name])), timeout=5.0)
    assert took < 4
    assert isinstance(answer, ModelFailure), answer
    assert 0 < len(answer.message) < 1_000
    answer.message.encode()
    assert "\x00" not in answer.message


@pytest.mark.parametrize(
    "usage",
    [
        None, 5, "many", [], {"prompt_tokens": 10**30, "completion_tokens": 10**4000}, {"prompt_tokens": -5},
        {"prompt_tokens": 1e400}, {"prompt_tokens": True, "completion_tokens": True}, {"prompt_tokens": "1000"},
        {"prompt_tokens": 10, "prompt_tokens_details": 3},
    ],
    ids=lambda one: str(one)[:20],
)  # fmt: skip
def test_counts_that_no_request_has_are_not_taken(usage: Any) -> None:
    body = says(content='{"a": 1}').replace(json.dumps(dict(USAGE)).encode(), json.dumps(usage).encode())
    answer, _ = asked(lambda connection, _: connection.sendall(http(body)))
    assert isinstance(answer, ModelAnswer)
    assert 0 <= answer.usage.prompt_tokens < 2**31
    assert 0 <= answer.usage.completion_tokens < 2**31
    assert answer.usage.prompt_tokens != 1


@pytest.mark.parametrize(
    "text",
    [
        "```" + " " * 150_000 + "x", "```json" * 20_000, "{" * 150_000, "{" + ", " * 90_000 + "}", '{"' + "\\" * 150_000,
        "{" + '"a":' * 40_000 + "}", "," + " " * 150_000 + "{x}", ("```" + " " * 300) * 500,
    ],
    ids=lambda one: one[:8],
)  # fmt: skip
def test_no_answer_is_searched_for_long(text: str) -> None:
    begun = time.monotonic()
    assert isinstance(find_object(text), NotFound)
    assert time.monotonic() - begun < 1
