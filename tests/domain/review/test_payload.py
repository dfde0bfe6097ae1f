from datetime import date
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.review.domain.payload import (
    EmailParts,
    Letterhead,
    LinkedInParts,
    Notice,
    email_payload,
    linkedin_payload,
    read_linkedin,
)
from outreach.teams.domain.refusal import Refusal

NOTICE = Notice(("your public LinkedIn profile",), date(2026, 11, 12), "legitimate interest (Art. 6(1)(f) GDPR)")


def parts(**changes: object) -> EmailParts:
    values: dict[str, object] = {
        "from_name": "Naledi Mokoena",
        "from_address": "naledi@hearthdesk.example",
        "to_name": "Diego Armenta Ruiz",
        "to_address": "diego@pipewren.example",
        "subject": "Support days at Pipewren",
        "body": "Hi Diego,\n\nIt’s one day in two weeks.",
        "language": "en",
        "letterhead": Letterhead("Naledi Mokoena", "Founder", "Hearthdesk", "", "1 Main Road\nCape Town"),
        "notice": NOTICE,
        "message_id": "<d7.r9.abcdef@hearthdesk.example>",
        "references": (),
        "opt_out_url": "https://footnote.example/o/tok3n",
        "opt_out_mail": "naledi@hearthdesk.example",
        **changes,
    }
    return EmailParts(**values)  # type: ignore[arg-type]


def payload(**changes: object) -> bytes:
    content = email_payload(parts=parts(**changes))
    assert isinstance(content, bytes), content
    return content


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def test_the_same_parts_give_the_same_bytes():
    assert payload() == payload()


def test_only_seven_bit_lines_with_crlf_and_within_the_smtp_limit():
    content = payload(body="Grüße, “viele” Zeichen: " + "länger " * 300)
    assert content.isascii()
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998


def test_no_date_and_no_trace_header_before_it_leaves():
    assert not {"Date", "Received", "Return-Path", "DKIM-Signature"} & set(read(payload()).keys())


def test_the_footer_carries_address_source_basis_and_the_way_out():
    text = read(payload()).get_content()
    for words in (
        "Hi Diego,",
        "1 Main Road",
        "your public LinkedIn profile",
        "2026-11-12",
        "Art. 6(1)(f)",
        "https://footnote.example/o/tok3n",
    ):
        assert words in text


def test_one_click_unsubscribe_as_rfc_8058_wants_it():
    message = read(payload())
    assert message["List-Unsubscribe"] == (
        "<https://footnote.example/o/tok3n>, <mailto:naledi@hearthdesk.example?subject=unsubscribe>"
    )
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_follow_up_is_threaded_on_its_parent():
    message = read(payload(references=("<a1@x.example>", "<b2@x.example>")))
    assert message["In-Reply-To"] == "<b2@x.example>"
    assert message["References"].split() == ["<a1@x.example>", "<b2@x.example>"]


@pytest.mark.parametrize("name", ["subject", "from_name", "to_name"])
@pytest.mark.parametrize(
    "evil",
    [
        "x\r\nBcc: all@evil.example",
        "x\nBcc: all@evil.example",
        "x\u2028Bcc: a@b.example",
        "x\x00\x0bBcc: a@b.example",
        "=?utf-8?q?x=0D=0ABcc:_all@evil.example?=",
        "=?utf-8?b?DQpCY2M6IGFAYi5leGFtcGxl?=",
    ],
)
def test_no_field_can_begin_another_header(name, evil):
    content = payload(**{name: evil})
    assert not [line for line in content.split(b"\r\n") if line.startswith(b"Bcc")]
    message = read(content)
    assert "Bcc" not in message
    assert len(message.get_all("To", [])) == 1


@pytest.mark.parametrize("name", ["from_name", "to_name"])
@pytest.mark.parametrize(
    "evil",
    [
        "a,b;c:d@e.example" * 10,
        "Müller, Évil <x@evil.example>, " * 5,
        '"',
        "\\",
        "ü" * 300,
        "é," * 60,
        "undisclosed-recipients:;",
        "=?utf-8?q?a?= <x@evil.example>",
        "(",
        "😀" * 60,
    ],
)
def test_a_name_never_becomes_an_address(name, evil):
    header = read(payload(**{name: evil}))["To" if name == "to_name" else "From"]
    wanted = parts().to_address if name == "to_name" else parts().from_address
    assert [one.addr_spec for one in header.addresses] == [wanted]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"to_address": "diego@pipewren.example\r\nBcc: x@y.example"}, "address"),
        ({"to_address": "diego"}, "address"),
        ({"to_address": ""}, "address"),
        ({"from_address": "a@b.example, c@d.example"}, "address"),
        ({"message_id": "no brackets"}, "message_id"),
        ({"references": ("<a@b.example>\r\nX: y",)}, "message_id"),
        ({"opt_out_url": "javascript:alert(1)"}, "opt_out"),
        ({"opt_out_url": "https://x.example/a\r\nX: y"}, "opt_out"),
    ],
)
def test_what_cannot_be_written_is_refused_with_a_reason(changes, code):
    refusal = email_payload(parts=parts(**changes))
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


@given(
    body=st.text(
        st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"),
        max_size=300,
    ),
    subject=st.text(st.characters(blacklist_categories=["Cs"]), max_size=150),
)
def test_whatever_is_written_arrives_as_written(body, subject):
    content = payload(body=body, subject=subject)
    wanted = "\n".join(line.rstrip() for line in body.split("\n")).strip("\n")
    assert read(content).get_content().replace("\r\n", "\n").startswith(wanted + "\n\n-- \n")
    assert content.isascii()


@pytest.mark.parametrize(("language", "words"), [("de-AT", "Warum Sie"), ("fr", "Pourquoi vous"), ("tr", "Why you")])
def test_the_footer_speaks_the_language_of_the_message(language, words):
    assert words in read(payload(language=language)).get_content()


@pytest.mark.parametrize(
    ("channel", "head", "has_notice"),
    [
        ("inmail", "channel: inmail\naccount: naledi\nto: linkedin.com/in/diego\nsubject: Support days", True),
        ("linkedin_message", "channel: linkedin_message\naccount: naledi\nto: linkedin.com/in/diego", True),
        ("linkedin_connection", "channel: linkedin_connection\naccount: naledi\nto: linkedin.com/in/diego", False),
    ],
)
def test_a_linkedin_text_names_channel_account_and_profile(channel, head, has_notice):
    content = linkedin_payload(
        parts=LinkedInParts(
            channel, "naledi", "linkedin.com/in/diego", "Support days", "Hi Diego,\n\nbye", "en", NOTICE
        )
    )
    assert isinstance(content, bytes)
    assert content.decode().startswith(f"{head}\n\nHi Diego,\n\nbye")
    assert (b"no thanks" in content) is has_notice


def test_what_is_pasted_is_read_back_from_the_approved_bytes():
    content = linkedin_payload(
        parts=LinkedInParts("inmail", "naledi", "linkedin.com/in/d", "A: b", "Hi\n\nbye", "en", NOTICE)
    )
    assert isinstance(content, bytes)
    words = read_linkedin(content=content)
    assert (words.profile_url, words.subject) == ("linkedin.com/in/d", "A: b")
    assert words.text.startswith("Hi\n\nbye\n\n--\nWhy you:")
