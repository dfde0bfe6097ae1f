"""A language model for the benchmark: one asyncio server that answers after so many seconds, whatever comes at once."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any


def answer_of(request: dict[str, Any]) -> dict[str, Any]:
    """A choice without hooks, or a message that quotes the marked post of the evidence."""
    if request["response_format"]["json_schema"]["name"] == "analysis":
        return {"considered": [], "hooks": [], "pain_points": [], "motivation": None}
    told = "\n".join(one["content"] for one in request["messages"])
    lines = [json.loads(line) for line in told.splitlines() if line.startswith('{"n"')]
    post = next(line for line in lines if line["kind"] == "post" and line["text"].startswith("Quoted: "))
    name = next(line for line in lines if line["kind"] == "name")
    quote = post["text"].removeprefix("Quoted: ").rstrip(".")
    body = [
        ("glue", f"Hi {name['fields']['first_name']},\n\n", None),
        ("claim", f"You wrote: “{quote}”.\n\n", post["n"]),
        ("offer", "Hearthdesk is a shared support inbox for engineering teams.\n\n", None),
        ("question", "Would a short call be useful?", None),
        ("glue", "\n\nBest regards,\nNaledi Mokoena", None),
    ]
    return {
        "subject": [_segment("glue", "A question", None)],
        "body": [_segment(*one) for one in body],
        "layers": ["situational"],
        "motivation": None,
    }


def _segment(kind: str, text: str, ref: str | None) -> dict[str, Any]:
    return {
        "kind": kind, "text": text, "claim_type": "quote" if ref else None, "arguments": [],
        "evidence": [ref] if ref else [],
    }  # fmt: skip


def _completion(request: dict[str, Any]) -> bytes:
    message = {"role": "assistant", "content": json.dumps(answer_of(request), ensure_ascii=False)}
    usage = {"prompt_tokens": 3000, "completion_tokens": 200, "total_tokens": 3200}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "slow"}
    return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


async def _connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, latency: float) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").lower().split("\r\n")
            length = next(int(line.partition(":")[2]) for line in lines if line.startswith("content-length:"))
            request = json.loads(await reader.readexactly(length))
            await asyncio.sleep(latency)
            body = _completion(request)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
            writer.write(body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _serve(latency: float) -> None:
    server = await asyncio.start_server(lambda r, w: _connection(r, w, latency), "127.0.0.1", 0, limit=2**22)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
