"""A server on loopback that speaks both wire formats and fails on demand.

It answers `/v1/messages` as the Messages API does, `/v1/responses` as the Responses API and
`/v1/chat/completions` as the servers compatible with it. What it does is scripted per model: a list
of behaviours, one a request, the last one repeated.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import threading
import time
from collections.abc import Callable
from typing import Any

INPUT, OUTPUT, REASONING, CACHED = 120, 30, 12, 20
TEXT = '```json\n{"sum": 4}\n```'
HALF = '```json\n{"sum": 4}\n```\nHalf of a pair: \ud83d.'
UNICODE = '```json\n{"sum": "π≈3 — 漢字 🜁 ﷽"}\n```'
HTML = b"<!doctype html><html><body><h1>Welcome to the captive portal</h1></body></html>"


class FaultServer:
    """Runs in a thread of its own; use it as a context manager."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        """Path, body and headers of every request."""
        self.reply: Callable[[dict[str, Any]], str] = lambda _: TEXT
        """What a working reply says, from the request's body."""
        self.most_at_once: int | None = None
        """More requests in flight than this are answered with 429."""
        self.peak = 0
        self.thinks = 0.0
        """Seconds before it answers."""
        self._scripts: dict[str, list[str]] = {}
        self._in_flight = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.port = 0

    def __enter__(self) -> FaultServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def script(self, model: str, *behaviours: str) -> str:
        """Sets what requests for `model` meet, in order; the last behaviour stays."""
        self._scripts[model] = list(behaviours)
        return model

    def calls(self, model: str) -> int:
        return sum(body.get("model") == model for _, body, _ in self.requests)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**24))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client went away, as some tests mean it to
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        path = first.split(" ")[1]
        body = json.loads(raw or b"{}")
        self.requests.append((path, body, headers))
        script = self._scripts.get(body.get("model", ""), ["ok"])
        behaviour = script.pop(0) if len(script) > 1 else script[0]
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            if self.most_at_once is not None and self._in_flight > self.most_at_once:
                behaviour = "429"
            elif self.thinks:
                await asyncio.sleep(self.thinks)
            wire = {"/v1/messages": Messages, "/v1/responses": Responses, "/v1/chat/completions": Chat}[path]
            return await wire(writer, body, self.reply).behave(behaviour)
        finally:
            self._in_flight -= 1


def with_every(made: Any, *names: str, value: Any) -> Any:
    """`made` with `value` wherever one of the names is a key."""
    if isinstance(made, dict):
        return {key: value if key in names else with_every(below, *names, value=value) for key, below in made.items()}
    if isinstance(made, list):
        return [with_every(below, *names, value=value) for below in made]
    return made


def written(value: Any) -> bytes:
    """JSON as providers send it; half of a surrogate pair can only be sent as an escape."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


class Wire:
    """One answer in one wire format."""

    def __init__(
        self, writer: asyncio.StreamWriter, body: dict[str, Any], reply: Callable[[dict[str, Any]], str]
    ) -> None:
        self.writer = writer
        self.body = body
        self.model = body["model"]
        self.say = reply

    async def behave(self, behaviour: str) -> bool:
        """Answers; gives whether the connection stays."""
        name, _, argument = behaviour.partition(":")
        if name.isdigit():
            return await self.status(int(name), argument)
        return bool(await getattr(self, name)(*filter(None, [argument])))

    async def status(self, status: int, argument: str) -> bool:
        headers = {"request-id": "req_1", "x-request-id": "req_1"}
        if argument.startswith("after="):
            headers["retry-after"] = argument.removeprefix("after=")
        elif argument.startswith("date="):
            headers["retry-after"] = email.utils.formatdate(
                time.time() + float(argument.removeprefix("date=")), usegmt=True
            )
        elif argument == "final":
            headers["x-should-retry"] = "false"
        if argument == "html":
            return await self.whole(status, b"<html>bad gateway</html>", "text/html", headers)
        kind = {429: "rate_limit_error", 529: "overloaded_error", 401: "authentication_error"}.get(status, "api_error")
        code = {429: "rate_limit_exceeded", 401: "invalid_api_key"}.get(status)
        if argument in ("insufficient_quota", "context_length_exceeded"):
            code = kind = argument
        message = f"status {status} for key {self.secret()}"
        return await self.whole(
            status,
            json.dumps({"type": "error", "error": {"type": kind, "code": code, "message": message}}).encode(),
            headers=headers,
        )

    def secret(self) -> str:
        """Providers do show parts of keys in their messages."""
        return "sk-test-SECRET-0123456789"

    async def whole(
        self, status: int, content: bytes, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> bool:
        lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", f"content-length: {len(content)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        await self.writer.drain()
        return True

    async def html(self) -> bool:
        return await self.whole(200, HTML, "text/html")

    async def event_stream(self) -> bool:
        return await self.whole(200, b'data: {"choices": []}\n\ndata: [DONE]\n\n', "text/event-stream")

    async def broken_json(self) -> bool:
        return await self.whole(200, b'{"id": "x", "model": ')

    # The same in each wire format, on what `sound` makes.

    async def half_a_pair(self) -> bool:
        return await self.give(self.sound(HALF))

    async def absurd_usage(self) -> bool:
        return await self.give(with_every(self.sound(TEXT), "input_tokens", "prompt_tokens", value=10**30))

    async def absurd_model(self) -> bool:
        return await self.give(with_every(self.sound(TEXT), "model", value="m" * 1_000_000))

    async def flood(self) -> bool:
        return await self.give(self.sound(TEXT + "x" * 12_000_000))

    def sound(self, text: str) -> Any:
        """A reply without fault."""
        raise NotImplementedError

    async def give(self, made: Any) -> bool:
        """Sends it."""
        raise NotImplementedError

    async def slow(self, seconds: str) -> bool:
        await asyncio.sleep(float(seconds))
        return bool(await self.ok())  # type: ignore[attr-defined]

    # Streams.

    def open_stream(self) -> None:
        self.writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nrequest-id: req_1\r\n\r\n"
        )

    async def chunk(self, data: bytes) -> None:
        self.writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await self.writer.drain()

    async def events(self, events: list[dict[str, Any]], end: str = "clean", cut: int = 0, pause: float = 0.0) -> bool:
        """Sends events; `end`: `clean`, or `cut` for a connection that breaks. `cut`: bytes a chunk, 0 for one a chunk."""
        self.open_stream()
        stream = [
            f"event: {event['type']}\n".encode() * ("type" in event) + b"data: " + written(event) + b"\n\n"
            for event in events
        ]
        await self.chunk(b": keep-alive\n\n")
        if cut:
            whole = b"".join(stream)
            stream = [whole[at : at + cut] for at in range(0, len(whole), cut)]
        for piece in stream:
            await self.chunk(piece)
            if pause:
                await asyncio.sleep(pause)
        if end == "cut":
            self.writer.transport.abort()
            return False
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()
        return True


class Messages(Wire):
    """The Messages API, always streamed."""

    def sound(self, text: str) -> list[dict[str, Any]]:
        return self.made(text, pieces=1_000_000 if len(text) > 1_000_000 else 7)

    async def give(self, made: list[dict[str, Any]]) -> bool:
        return await self.events(made)

    def made(
        self,
        text: str = "",
        stop: str = "end_turn",
        model: str = "",
        blocks: list[dict[str, Any]] | None = None,
        pieces: int = 7,
    ) -> list[dict[str, Any]]:
        start = {
            "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": model or self.model,
            "stop_reason": None, "stop_sequence": None,
            "usage": {"input_tokens": INPUT, "cache_read_input_tokens": CACHED, "cache_creation_input_tokens": 0, "output_tokens": 1},
        }  # fmt: skip
        events: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
        for index, block in enumerate(blocks if blocks is not None else [{"type": "text", "text": ""}]):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            if block["type"] == "text":
                events += [
                    {
                        "type": "content_block_delta",
                        "index": index,
                        "delta": {"type": "text_delta", "text": text[at : at + pieces]},
                    }
                    for at in range(0, len(text), pieces)
                ]
            events.append({"type": "content_block_stop", "index": index})
        events.append(
            {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": OUTPUT, "output_tokens_details": {"thinking_tokens": REASONING}},
            }
        )
        return [*events, {"type": "message_stop"}]

    async def ok(self) -> bool:
        return await self.events(self.made(self.say(self.body)))

    async def cut(self) -> bool:
        return await self.events(self.made(TEXT)[:5], end="cut")

    async def early_end(self) -> bool:
        return await self.events(self.made(TEXT)[:5])

    async def drip(self) -> bool:
        return await self.events(self.made(TEXT * 200), pause=0.02)

    async def broken_event(self) -> bool:
        self.open_stream()
        await self.chunk(b'event: message_start\ndata: {"type": "message_start", "mess\n\n')
        self.writer.write(b"0\r\n\r\n")
        return True

    async def no_usage(self) -> bool:
        events = self.made(TEXT)
        del events[0]["message"]["usage"]
        del events[-2]["usage"]
        return await self.events(events)

    async def no_model(self) -> bool:
        events = self.made(TEXT)
        del events[0]["message"]["model"]
        return await self.events(events)

    async def refusal(self, shape: str = "empty") -> bool:
        return await self.events(
            self.made("I" if shape == "partial" else "", "refusal", blocks=None if shape == "partial" else [])
        )

    async def max_tokens(self) -> bool:
        return await self.events(self.made(TEXT[:12], "max_tokens"))

    async def window(self) -> bool:
        return await self.events(self.made(TEXT[:12], "model_context_window_exceeded"))

    async def tool_call(self) -> bool:
        block = {"type": "tool_use", "id": "t", "name": "python", "input": {}}
        return await self.events(self.made("", "tool_use", blocks=[block]))

    async def error_event(self) -> bool:
        error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
        return await self.events([*self.made(TEXT)[:4], error])

    async def substituted(self) -> bool:
        return await self.events(self.made(TEXT, model="another-model"))

    async def unicode(self) -> bool:
        return await self.events(self.made(UNICODE), cut=1)

    async def empty(self) -> bool:
        return await self.events(self.made(""))


class Responses(Wire):
    """The Responses API, always streamed."""

    def sound(self, text: str) -> list[dict[str, Any]]:
        return self.made(text, pieces=1_000_000 if len(text) > 1_000_000 else 7)

    async def give(self, made: list[dict[str, Any]]) -> bool:
        return await self.events(made)

    def made(
        self,
        text: str = "",
        status: str = "completed",
        reason: str = "",
        model: str = "",
        output: list[dict[str, Any]] | None = None,
        pieces: int = 7,
    ) -> list[dict[str, Any]]:
        def response(status: str, **more: Any) -> dict[str, Any]:
            return {
                "id": "resp_1", "object": "response", "created_at": 1, "model": model or self.model, "status": status,
                "output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None,
                "incomplete_details": None, "usage": None, **more,
            }  # fmt: skip

        if output is None:
            content = [{"type": "output_text", "text": text, "annotations": []}] if text else []
            output = [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": content},
            ]
        usage = {
            "input_tokens": INPUT + CACHED, "input_tokens_details": {"cached_tokens": CACHED}, "output_tokens": OUTPUT,
            "output_tokens_details": {"reasoning_tokens": REASONING}, "total_tokens": INPUT + CACHED + OUTPUT,
        }  # fmt: skip
        last = response(status, output=output, usage=usage, incomplete_details={"reason": reason} if reason else None)
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": response("in_progress")},
            *(
                {
                    "type": "response.output_text.delta",
                    "item_id": "m_1",
                    "output_index": 1,
                    "content_index": 0,
                    "delta": text[at : at + pieces],
                    "logprobs": [],
                }
                for at in range(0, len(text), pieces)
            ),
            {"type": f"response.{status}", "response": last},
        ]
        return [{**event, "sequence_number": number} for number, event in enumerate(events)]

    async def ok(self) -> bool:
        return await self.events(self.made(self.say(self.body)))

    async def cut(self) -> bool:
        return await self.events(self.made(TEXT)[:3], end="cut")

    async def early_end(self) -> bool:
        return await self.events(self.made(TEXT)[:3])

    async def drip(self) -> bool:
        return await self.events(self.made(TEXT * 200), pause=0.02)

    async def broken_event(self) -> bool:
        self.open_stream()
        await self.chunk(b'event: response.created\ndata: {"type": "response.cre\n\n')
        self.writer.write(b"0\r\n\r\n")
        return True

    async def no_usage(self) -> bool:
        events = self.made(TEXT)
        events[-1]["response"]["usage"] = None
        return await self.events(events)

    async def no_model(self) -> bool:
        events = self.made(TEXT)
        del events[-1]["response"]["model"]
        return await self.events(events)

    async def refusal(self, shape: str = "part") -> bool:
        if shape == "filter":
            return await self.events(self.made("I", "incomplete", "content_filter"))
        part = {"type": "refusal", "refusal": "I cannot help with that."}
        message = {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "content": [part]}
        return await self.events(self.made(output=[message]))

    async def max_tokens(self) -> bool:
        return await self.events(self.made(TEXT[:12], "incomplete", "max_output_tokens"))

    async def tool_call(self) -> bool:
        call = {
            "type": "function_call",
            "id": "f",
            "call_id": "c",
            "name": "python",
            "arguments": "{}",
            "status": "completed",
        }
        return await self.events(self.made(output=[call]))

    async def error_event(self) -> bool:
        error = {
            "type": "error",
            "code": "server_error",
            "message": "something broke",
            "param": None,
            "sequence_number": 3,
        }
        return await self.events([*self.made(TEXT)[:3], error])

    async def failed(self) -> bool:
        events = self.made("", "failed")
        events[-1]["response"]["error"] = {"code": "server_error", "message": "the model failed"}
        return await self.events(events)

    async def substituted(self) -> bool:
        return await self.events(self.made(TEXT, model="another-model"))

    async def unicode(self) -> bool:
        return await self.events(self.made(UNICODE), cut=1)

    async def empty(self) -> bool:
        return await self.events(self.made(""))


class Chat(Wire):
    """Chat completions, in one piece."""

    def sound(self, text: str) -> dict[str, Any]:
        return self.made(text)

    async def give(self, made: dict[str, Any]) -> bool:
        return await self.send(made)

    def made(
        self, text: str | None = "", finish: str | None = "stop", model: str = "", **message: Any
    ) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model or self.model,
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
            "usage": {
                "prompt_tokens": INPUT + CACHED, "prompt_tokens_details": {"cached_tokens": CACHED}, "completion_tokens": OUTPUT,
                "completion_tokens_details": {"reasoning_tokens": REASONING}, "total_tokens": INPUT + CACHED + OUTPUT,
            },
        }  # fmt: skip

    async def send(self, completion: dict[str, Any]) -> bool:
        return await self.whole(200, written(completion))

    async def ok(self) -> bool:
        return await self.send(self.made(self.say(self.body)))

    async def cut(self) -> bool:
        self.writer.write(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"id": ')
        await self.writer.drain()
        self.writer.transport.abort()
        return False

    async def early_end(self) -> bool:
        return await self.send(self.made(TEXT, None))

    async def drip(self) -> bool:
        content = json.dumps(self.made(TEXT * 200)).encode()
        self.writer.write(
            f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n".encode()
        )
        for at in range(0, len(content), 20):
            self.writer.write(content[at : at + 20])
            await self.writer.drain()
            await asyncio.sleep(0.02)
        return True

    async def no_usage(self) -> bool:
        completion = self.made(TEXT)
        del completion["usage"]
        return await self.send(completion)

    async def no_model(self) -> bool:
        completion = self.made(TEXT)
        del completion["model"]
        return await self.send(completion)

    async def refusal(self, shape: str = "field") -> bool:
        if shape == "filter":
            return await self.send(self.made("I", "content_filter"))
        return await self.send(self.made(None, refusal="I cannot help with that."))

    async def max_tokens(self) -> bool:
        return await self.send(self.made(TEXT[:12], "length"))

    async def tool_call(self) -> bool:
        call = {"id": "c", "type": "function", "function": {"name": "python", "arguments": "{}"}}
        return await self.send(self.made(None, "tool_calls", tool_calls=[call]))

    async def error_event(self) -> bool:
        return await self.send({"error": {"code": 502, "type": "upstream_error", "message": "the upstream failed"}})

    async def substituted(self) -> bool:
        return await self.send(self.made(TEXT, model="another-model"))

    async def unicode(self) -> bool:
        content = json.dumps(self.made(UNICODE), ensure_ascii=False).encode()
        self.writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
        for at in range(len(content)):
            await self.chunk(content[at : at + 1])
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()
        return True

    async def empty(self) -> bool:
        return await self.send(self.made(""))
