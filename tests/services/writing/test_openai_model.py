"""The adapter against a real HTTP server that behaves well, badly and worse."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from messaging.writing.adapters.openai_model import OpenAIModel, Prices
from messaging.writing.domain.retry import RetryPolicy
from messaging.writing.ports import Failed, Message, ModelAnswer, ModelFailure, ModelRequest
from tests.services.writing.model_server import ModelServer, Reply, failing, model_server

REQUEST = ModelRequest(
    messages=(Message("user", "Write."),), schema={"type": "object", "properties": {}}, schema_name="message"
)
GOOD = Reply(json.dumps({"said": "hello"}))


class StillClock:
    """Sleeping takes no time, and is written down."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return sum(self.slept)

    def now(self) -> datetime:
        return datetime(2026, 12, 1, 12, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


def ask(server: ModelServer, clock: StillClock, **options: object) -> ModelAnswer | ModelFailure:
    model = OpenAIModel(base_url=server.url, api_key="k", model="m", clock=clock, draw=lambda: 1.0, **options)
    try:
        return model.complete(request=REQUEST)
    finally:
        model.close()


def test_a_good_answer_is_read_with_its_tokens_and_cost(server: ModelServer, clock: StillClock) -> None:
    server.will(GOOD)
    answer = ask(server, clock, prices=Prices(prompt=Decimal(2), cached=Decimal(1), completion=Decimal(10)))
    assert isinstance(answer, ModelAnswer)
    assert answer.data == {"said": "hello"}
    assert (answer.usage.prompt_tokens, answer.usage.cached_tokens, answer.usage.completion_tokens) == (1000, 400, 200)
    assert answer.usage.cost == Decimal("0.0036")  # (600 x 2 + 400 x 1 + 200 x 10) / 1,000,000


def test_without_a_name_the_first_model_that_is_served_is_used(server: ModelServer, clock: StillClock) -> None:
    server.will(GOOD)
    model = OpenAIModel(base_url=server.url, api_key="k", model="", clock=clock)
    model.complete(request=REQUEST)
    model.close()
    assert (server.requests[0]["model"], model.name) == ("only-one", "only-one")


def test_the_schema_is_asked_for_strictly(server: ModelServer, clock: StillClock) -> None:
    server.will(GOOD)
    ask(server, clock)
    asked = server.requests[0]["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    ("refusal", "sent_instead"),
    [
        (failing(400, message="response_format is not supported", param="response_format"), "JSON schema"),
        (failing(422, message="extra fields not permitted"), "JSON schema"),
        (
            failing(400, message="Use 'max_completion_tokens' instead of 'max_tokens'", param="max_tokens"),
            "max_completion",
        ),
    ],
)
def test_a_server_that_lacks_something_is_asked_without_it(
    server: ModelServer, clock: StillClock, refusal: Reply, sent_instead: str
) -> None:
    server.will(refusal, GOOD)
    assert isinstance(ask(server, clock), ModelAnswer)
    assert sent_instead in json.dumps(server.requests[1])
    assert clock.slept == []


@pytest.mark.parametrize(
    ("header", "waited"),
    [("7", 7.0), ("Tue, 01 Dec 2026 12:00:05 GMT", 5.0), ("60", 60.0), ("soon", 1.0), ("-3", 1.0), ("inf", 1.0)],
)
def test_a_busy_server_is_given_the_time_it_asks_for_within_reason(
    server: ModelServer, clock: StillClock, header: str, waited: float
) -> None:
    server.will(failing(429, Retry_After=header), GOOD)
    assert isinstance(ask(server, clock), ModelAnswer)
    assert clock.slept == [waited]


def test_a_server_that_wants_more_time_than_a_call_has_is_left_alone(server: ModelServer, clock: StillClock) -> None:
    server.will(failing(429, Retry_After="9000"))
    model = OpenAIModel(base_url=server.url, api_key="k", model="m", clock=clock)
    answers = [model.complete(request=REQUEST) for _ in range(3)]
    model.close()
    assert [type(answer) for answer in answers] == [ModelFailure] * 3
    assert (len(server.requests), clock.slept) == (1, [])
    assert answers[0].wait == pytest.approx(3_600, abs=1)


def test_who_is_told_to_wait_makes_all_others_wait(server: ModelServer, clock: StillClock) -> None:
    server.will(failing(429, Retry_After="40"), GOOD)
    model = OpenAIModel(base_url=server.url, api_key="k", model="m", clock=clock, policy=RetryPolicy(budget=10))
    assert isinstance(model.complete(request=REQUEST), ModelFailure)
    patient = OpenAIModel.complete(model, request=REQUEST)
    assert isinstance(patient, ModelFailure)
    clock.sleep(41)
    assert isinstance(model.complete(request=REQUEST), ModelAnswer)
    model.close()
    assert len(server.requests) == 2


def test_waits_between_server_errors_grow(server: ModelServer, clock: StillClock) -> None:
    server.will(failing(500), failing(503), failing(502), GOOD)
    assert isinstance(ask(server, clock), ModelAnswer)
    assert clock.slept == [1.0, 2.0, 4.0]


def test_retries_end_and_say_how_many_there_were(server: ModelServer, clock: StillClock) -> None:
    server.will(failing(500))
    answer = ask(server, clock)
    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.usage.requests) == (Failed.UNAVAILABLE, 4)
    assert not answer.lasting


def test_no_request_begins_after_the_budget(server: ModelServer, clock: StillClock) -> None:
    server.will(failing(429, Retry_After="25"))
    ask(server, clock, policy=RetryPolicy(attempts=9, budget=60))
    assert clock.slept == [25.0, 25.0]


def test_a_server_slower_than_the_timeout_is_asked_again(server: ModelServer, clock: StillClock) -> None:
    server.will(Reply(wait=5), GOOD)
    assert isinstance(ask(server, clock, timeout=0.2), ModelAnswer)


def test_an_address_where_nothing_listens_says_what_to_check(clock: StillClock) -> None:
    model = OpenAIModel(base_url="http://127.0.0.1:9/v1", api_key="k", model="m", clock=clock)
    answer = model.complete(request=REQUEST)
    model.close()
    assert isinstance(answer, ModelFailure)
    assert "OPENAI_BASE_URL" in answer.message


@pytest.mark.parametrize(
    ("reply", "kind", "names"),
    [
        (failing(401), Failed.WRONG_KEY, "OPENAI_API_KEY"),
        (failing(403), Failed.WRONG_KEY, "OPENAI_API_KEY"),
        (failing(404), Failed.MISCONFIGURED, "OPENAI_MODEL"),
        (failing(429, code="insufficient_quota"), Failed.MISCONFIGURED, "quota"),
        (failing(400, message="context too long"), Failed.MISCONFIGURED, "context too long"),
    ],
)
def test_what_no_retry_can_mend_is_asked_once(
    server: ModelServer, clock: StillClock, reply: Reply, kind: Failed, names: str
) -> None:
    server.will(reply)
    answer = ask(server, clock)
    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.lasting, len(server.requests)) == (kind, True, 1)
    assert names in answer.message


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply('{"said": "hel', finish="length"), Failed.MALFORMED),
        (Reply("I would rather not use JSON."), Failed.MALFORMED),
        (Reply(""), Failed.MALFORMED),
        (Reply("[1, 2]"), Failed.MALFORMED),
        (Reply(refusal="I cannot help with that."), Failed.DECLINED),
        (Reply('{"said": 1}', finish="content_filter"), Failed.DECLINED),
        (Reply(body=b"<html>proxy error</html>", headers={"Content-Type": "text/html"}), Failed.UNAVAILABLE),
        (Reply(body=b'{"choices": [{"inde'), Failed.UNAVAILABLE),
        (Reply(body=b'{"choices": []}'), Failed.UNAVAILABLE),
        (Reply(body=b"[]"), Failed.UNAVAILABLE),
    ],
)
def test_rubbish_becomes_a_failure_with_its_reason(
    server: ModelServer, clock: StillClock, reply: Reply, kind: Failed
) -> None:
    server.will(reply)
    answer = ask(server, clock)
    assert isinstance(answer, ModelFailure)
    assert answer.kind is kind
    assert answer.message


@pytest.mark.parametrize(
    ("content", "how"),
    [
        ('Sure!\n```json\n{"said": "hello"}\n```', "taken from a code fence"),
        ('Here you are: {"said": "hello"} Enjoy.', "taken from between other words"),
        ('{"said": "hello",}', "without trailing commas"),
        ('{"said":\n "hel\nlo"}', "with line breaks escaped"),
    ],
)
def test_json_among_other_things_is_found(server: ModelServer, clock: StillClock, content: str, how: str) -> None:
    server.will(Reply(content))
    answer = ask(server, clock)
    assert isinstance(answer, ModelAnswer)
    assert (answer.data["said"].replace("\n", ""), answer.repaired) == ("hello", how)
