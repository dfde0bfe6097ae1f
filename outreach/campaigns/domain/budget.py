"""How much of a language model a team pays for, and whether there is anything left."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Budget:
    """In the account's currency, as the prices of the settings are. Nought stops the model; the composer writes."""

    daily: Decimal
    monthly: Decimal


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Which model a team writes with. Everything empty: the installation's own; its settings then hold.

    fault: why the team's own cannot be used; then it is not asked.
    """

    base_url: str = ""
    name: str = ""
    key: str = ""
    fault: str = ""

    def __repr__(self) -> str:
        """Without the key."""
        return f"ModelAccess({self.base_url!r}, {self.name!r}, fault={self.fault!r})"

    @property
    def own(self) -> bool:
        return bool(self.base_url or self.name or self.key)
