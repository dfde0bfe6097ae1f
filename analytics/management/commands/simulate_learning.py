"""The learning loop against a simulated market, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analytics.domain.learning.report import simulated


class Command(BaseCommand):
    help = "Run the learning loop on an invented market: what it costs, and how often it is fooled."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same figures")
        parser.add_argument("--weeks", type=int, default=52, help="length of the experiment (5 to 260)")
        parser.add_argument("--weekly", type=float, default=200, help="messages a week")
        parser.add_argument("--base", type=float, default=0.05, help="reply rate of the present strategy, 0 to 1")
        parser.add_argument("--lift", type=float, default=0.30, help="by how much the best challenger is better")
        parser.add_argument("--strategies", type=int, default=4, help="how many run side by side (2 to 8)")
        parser.add_argument("--runs", type=int, default=200, help="markets simulated (10 to 5,000)")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        for name, low, high in (
            ("weeks", 5, 260), ("weekly", 1, 100_000), ("base", 0.0005, 0.6), ("lift", 0, 3), ("strategies", 2, 8),
            ("runs", 10, 5000),
        ):  # fmt: skip
            if not low <= options[name] <= high:
                raise CommandError(f"--{name} must be from {low} to {high}, not {options[name]}.", returncode=2)
        wanted = {name: options[name] for name in ("seed", "weeks", "weekly", "base", "lift", "strategies", "runs")}
        figures = simulated(**wanted)
        if options["json"]:
            self.stdout.write(json.dumps(figures))
            return
        for name, value in figures.items():
            self.stdout.write(f"{name}: {value}")
