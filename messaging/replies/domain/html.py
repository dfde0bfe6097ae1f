"""HTML mail into lines of text: blocks break lines, quoted blocks get the mark of a quote."""

from __future__ import annotations

from html.parser import HTMLParser

_BLOCKS = frozenset(
    [
        "p",
        "div",
        "br",
        "tr",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "table",
        "ul",
        "ol",
        "blockquote",
        "pre",
        "section",
        "article",
    ]
)
_PARAGRAPHS = frozenset(["p", "blockquote", "table", "ul", "ol", "hr", "h1", "h2", "h3"])
_SILENT = frozenset({"style", "script", "head", "title"})
MAX_CHARACTERS = 200_000


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = [""]
        self.quotes = 0
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT:
            self.silent += 1
        self._break(tag)
        if tag == "blockquote":
            self.quotes += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        self._break(tag)
        if tag == "blockquote":
            self.quotes = max(0, self.quotes - 1)

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.lines[-1] += " ".join(data.split()) if not data.strip() else _spaced(data)

    def _break(self, tag: str) -> None:
        if tag not in _BLOCKS:
            return
        if self.lines[-1].strip() or tag == "br":
            self.lines[-1] = ("> " if self.quotes else "") + self.lines[-1].strip()
            self.lines.append("")
        if tag in _PARAGRAPHS and len(self.lines) > 1 and self.lines[-2].strip():
            self.lines.insert(-1, "> " if self.quotes else "")


def _spaced(data: str) -> str:
    inner = " ".join(data.split())
    return (" " if data[0].isspace() else "") + inner + (" " if data[-1].isspace() else "")


def text_of_html(markup: str) -> str:
    """Never raises; unbalanced tags only cost line breaks."""
    reader = _Reader()
    reader.feed(markup[:MAX_CHARACTERS])
    reader.close()
    return "\n".join(reader.lines).strip()
