"""Handing in prospects as JSON: any of the shapes that files have. The rows are the queue here too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils import timezone
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from outreach.teams.access import MemberPermission
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects import queries, services
from prospects.access import batch_or_404
from prospects.domain.formats.registry import format_of
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from prospects.models import ImportBatch

MAX_BYTES = 20_000_000


class RawJson(BaseParser):
    """The bytes as they came: the importers find out what they are. Never more than one byte over the limit."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return stream.read(MAX_BYTES + 1)


class RawJsonLines(RawJson):
    media_type = "application/x-ndjson"


def _shown(request: Request, batch: ImportBatch) -> dict[str, object]:
    return {
        "id": batch.pk,
        "url": reverse("api-import", kwargs={"team": request.member.team.slug, "pk": batch.pk}, request=request),  # type: ignore[attr-defined]
        "file": batch.file_name,
        "format": batch.format or None,
        "state": batch.state,
        "message": batch.message,
        "rows": batch.rows,
        "rows_done": batch.rows_done,
        "created": batch.created,
        "updated": batch.updated,
        "unchanged": batch.unchanged,
    }


class Imports(APIView):
    """GET: the newest imports. POST: JSON or JSON lines of any shape that is known as a file; ?name= names the source.

    202 with the import, which a worker takes up; 422 with the reason where the body is none of the shapes,
    413 above 20 MB. A LinkedIn archive is not JSON and comes in through the pages.
    """

    permission_classes = (MemberPermission,)
    parser_classes = (RawJson, RawJsonLines)
    capability = Capability.IMPORT

    def get(self, request: Request, team: str) -> Response:
        page = queries.batch_page(team=request.member.team, after=request.query_params.get("after", ""))  # type: ignore[attr-defined]
        return Response({"imports": [_shown(request, batch) for batch in page.rows], "next": page.next})

    def post(self, request: Request, team: str) -> Response:
        data: object = request.data  # the parsers above give bytes
        if not isinstance(data, bytes) or not data.strip():
            return _no("empty", "The body is empty. Send JSON as application/json or application/x-ndjson.", 422)
        if len(data) > MAX_BYTES:
            return _no("too-large", f"The body is larger than {MAX_BYTES // 1_000_000} MB. Send it in parts.", 413)
        name = request.query_params.get("name", "").strip()[:200] or "api.json"
        upload = Upload(file_name=name, data=data)
        if not upload.looks_like_json:
            return _no("not-json", "The body is not JSON. Other files come in on the import page.", 422)
        known = format_of(upload)
        if isinstance(known, Unreadable):
            return _no("unreadable", known.message, 422)
        member = request.member  # type: ignore[attr-defined]
        batch = services.queue_import(
            team=member.team, actor=member.user, file_name=name, data=data, now=timezone.now()
        )
        if isinstance(batch, Refusal):
            return _no(batch.code, batch.message, 422)
        return Response(_shown(request, batch), status=202)


class Import(APIView):
    """GET: how far one import is, and each row that was not used with the reason."""

    permission_classes = (MemberPermission,)
    capability = Capability.IMPORT

    def get(self, request: Request, team: str, pk: int) -> Response:
        batch = batch_or_404(team=request.member.team, pk=pk)  # type: ignore[attr-defined]
        skipped = [{"row": entry["row"], "reason": entry["reason"]} for entry in batch.skipped]
        more = {"skipped": skipped, "warnings": batch.warnings, "prospects": batch.prospect_ids}
        return Response(_shown(request, batch) | more)


def _no(code: str, message: str, status: int) -> Response:
    return Response({"code": code, "detail": message}, status=status)
