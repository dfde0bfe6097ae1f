"""How a reading is printed: the same keys for classify_reply and ingest_mail."""

from __future__ import annotations

from messaging.replies.domain.reading import Reading


def reading_json(*, file: str, reading: Reading, case_id: str = "") -> dict[str, object]:
    line: dict[str, object] = {"file": file}
    if case_id:
        line["case_id"] = case_id
    return line | {
        "kind": str(reading.kind),
        "intent": str(reading.intent),
        "sentiment": str(reading.sentiment),
        "confidence": reading.confidence,
        "text": reading.text,
        "language": reading.language,
        "bounce": reading.bounce.as_json() if reading.bounce is not None else None,
        "return_date": reading.return_date.isoformat() if reading.return_date else None,
        "meeting": reading.meeting.as_json() if reading.meeting is not None else None,
        "referral_to": reading.referral_to or None,
        "follow_up_after": reading.follow_up.isoformat() if reading.follow_up else None,
        "because": reading.because,
    }
