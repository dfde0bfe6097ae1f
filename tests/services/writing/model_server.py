"""An OpenAI-compatible server on this machine that answers as it is told: the fake behind the real adapter."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What the server says each answer took, unless told otherwise.
USAGE: Mapping[str, Any] = {
    "prompt_tokens": 1000,
    "completion_tokens": 200,
    "total_tokens": 1200,
    "prompt_tokens_details": {"cached_tokens": 400},
}


@dataclass
class Reply:
    """One answer of the server. wait: seconds before it begins; body replaces the whole JSON when given."""

    content: str = "{}"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    finish: str = "stop"
    refusal: str | None = None
    body: bytes | None = None
    usage: Mapping[str, Any] | None = None

    def as_bytes(self) -> bytes:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": None if self.refusal else self.content, "refusal": self.refusal}
        usage = self.usage or USAGE
        choice = {"index": 0, "finish_reason": self.finish, "logprobs": None, "message": message}
        head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
        return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


def failing(
    status: int, *, message: str = "no", code: str | None = None, param: str | None = None, **headers: str
) -> Reply:
    """An error as OpenAI words it."""
    error = {"message": message, "type": "test", "code": code, "param": param}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=json.dumps({"error": error}).encode(), headers=named)


Answer = Reply | Callable[[dict[str, Any]], Reply]


@dataclass
class ModelServer:
    """What the server was asked, and what it will answer: the replies in turn, then the last for ever."""

    url: str
    replies: deque[Answer] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    #: the usage of each answer that was a completion, {} of each that was none, as a bill would list them
    counted: list[Mapping[str, Any]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def will(self, *replies: Answer) -> None:
        self.replies.extend(replies)

    def next(self, request: dict[str, Any]) -> Reply:
        self.requests.append(request)
        answer = self.replies.popleft() if len(self.replies) > 1 else self.replies[0]
        reply = answer(request) if callable(answer) else answer
        self.counted.append({} if reply.body is not None or reply.wait else reply.usage or USAGE)
        return reply


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Tests are quiet."""

    def do_GET(self) -> None:
        """The models that are served."""
        content = json.dumps({"object": "list", "data": [{"id": "only-one", "object": "model"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        owner: ModelServer = self.server.owner  # type: ignore[attr-defined]
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = owner.next(request)
        if reply.wait:
            owner.released.wait(reply.wait)
        content = reply.as_bytes()
        try:
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            return  # the client has given up, which is what a slow answer is for


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server on a free port for the duration of a test."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    owner = ModelServer(url=f"http://127.0.0.1:{server.server_port}/v1")
    server.owner = owner  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield owner
    finally:
        owner.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
