"""How many people of a team share a thing: counted in the background, read when hooks are ranked."""

from __future__ import annotations

from django.db import models

from outreach.teams.models import Team


class SharedThing(models.Model):
    """Something that at least two people of the team have (a skill, a school, an event): key of hooks.domain.rarity."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    people = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "key"], name="shared_thing_once")]

    def __str__(self) -> str:
        return f"{self.key}: {self.people}"


class SharedCount(models.Model):
    """When the things of a team were last counted, and over how many people."""

    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="+")
    people = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.people} people of {self.team_id}"
