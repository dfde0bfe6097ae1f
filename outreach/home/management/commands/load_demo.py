"""Make the demonstration team if there is none."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from outreach.home.services import PASSWORD, PEOPLE, load_demo


class Command(BaseCommand):
    help = (
        "Makes the team 'demo' with invented prospects, two campaigns and a few drafts; does nothing when it is there."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_demo(now=timezone.now())
        if loaded.created:
            self.stdout.write(f"Made a demonstration team with {loaded.prospects} people and {loaded.drafts} drafts.")
        self.stdout.write("Sign in to the demonstration team as")
        for email, _name, role in PEOPLE:
            self.stdout.write(f"  {email} ({role.label.lower()}), password {PASSWORD}")
