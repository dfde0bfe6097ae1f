"""The product's source files, for tests that read them."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("outreach", "prospects", "messaging", "analytics")


def python_files(*folders: str) -> list[Path]:
    return sorted(
        path for folder in folders for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts
    )


def templates() -> list[Path]:
    return sorted(path for folder in ("templates", *ROOMS) for path in (ROOT / folder).rglob("*.html"))


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def domain_files() -> list[Path]:
    """Plain Python: the domain packages and verification."""
    return [
        path
        for path in python_files(*ROOMS)
        if "domain" in path.parts or path.is_relative_to(ROOT / "messaging/verification")
    ]


def imports(path: Path) -> Iterator[str]:
    """The full dotted name of everything a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
