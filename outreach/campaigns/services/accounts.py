"""Sending accounts: where messages leave from and where answers arrive. Each change needs its right and is in the trail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils import timezone

from outreach.campaigns.domain.account import CONNECTION, FIELDS, account_faults
from outreach.campaigns.models import AccountKind, SecretKind, SendingAccount
from outreach.campaigns.ports import Finding, MailChecker
from outreach.campaigns.queries import mail_server_of, mailbox_of
from outreach.campaigns.services.secrets import keep, secret_fault
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.vault import Closed

#: The form's names of the passwords.
PASSWORDS = {"smtp_password": SecretKind.SMTP, "imap_password": SecretKind.IMAP}


def create_account(
    *, member: Member, kind: str, address: str, passwords: Mapping[str, str | None] | None = None, **values: Any
) -> SendingAccount | Refusal:
    """A place messages leave from: kind "smtp" or "linkedin". values: of domain.account.FIELDS. passwords: of PASSWORDS."""
    address = address.strip()
    entered = {**FIELDS, **values}
    refused = (
        gate(member=member, capability=Capability.ADMIN)
        or _address_refusal(kind=kind, address=address)
        or _refusal(values=entered, passwords=passwords)
    )
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            row = SendingAccount.objects.create(team=member.team, kind=kind, address=address, **entered)
            kept = _keep(row=row, passwords=passwords)
            record(
                team=member.team, actor=member.user, action="account.created", target=row, details={"passwords": kept}
            )
    except IntegrityError:
        return Refusal("account-taken", f"address: {address} is one of your team's accounts already.")
    return row


def edit_account(
    *, member: Member, account_id: int, passwords: Mapping[str, str | None] | None = None, **values: Any
) -> SendingAccount | Refusal:
    """Change some fields. Kind and address stay as they are: messages have left from it.

    passwords: "" forgets one, None or an absent one leaves it. A server that is changed to another host forgets the
    password that was meant for the first, unless one is given with it.
    """
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = SendingAccount.objects.select_for_update().filter(team=member.team, pk=account_id).first()
        if row is None:
            return Refusal("not-found", "There is no such account in your team.")
        entered = {**{name: getattr(row, name) for name in FIELDS}, **values}
        refused = _refusal(values=entered, passwords=passwords)
        if refused is not None:
            return refused
        changed = {name: [getattr(row, name), entered[name]] for name in FIELDS if getattr(row, name) != entered[name]}
        for name, (_was, value) in changed.items():
            setattr(row, name, value)
        kept = _keep(row=row, passwords=_for_other_hosts(changed=changed, passwords=passwords))
        if kept or any(name in CONNECTION for name in changed):
            row.tested_at, row.test_faults = None, []
        row.save()
        if changed or kept:
            record(
                team=member.team,
                actor=member.user,
                action="account.changed",
                target=row,
                details={"changed": changed, "passwords": kept},
            )
    return row


def _for_other_hosts(
    *, changed: Mapping[str, Any], passwords: Mapping[str, str | None] | None
) -> dict[str, str | None]:
    """Nobody is to read a password by pointing its mailbox at a server of their own."""
    given = dict(passwords or {})
    for prefix in ("smtp", "imap"):
        if f"{prefix}_host" in changed and given.get(f"{prefix}_password") is None:
            given[f"{prefix}_password"] = ""
    return given


def _keep(*, row: SendingAccount, passwords: Mapping[str, str | None] | None) -> list[str]:
    return [
        kind.value
        for field, kind in PASSWORDS.items()
        if keep(team=row.team, kind=kind, value=(passwords or {}).get(field), account=row, now=timezone.now())
    ]


def _refusal(*, values: Mapping[str, Any], passwords: Mapping[str, str | None] | None) -> Refusal | None:
    faults = "\n".join(account_faults(values))
    if faults:
        return Refusal("invalid", faults)
    given = passwords or {}
    return next((one for field in PASSWORDS if (one := secret_fault(field=field, value=given.get(field)))), None)


def _address_refusal(*, kind: str, address: str) -> Refusal | None:
    """An address that cannot stand in a header is found here, not when the first message is handed over."""
    if kind not in AccountKind.values:
        return Refusal("invalid", "kind: choose a mailbox or a LinkedIn account.")
    if not address or not address.isprintable():
        return Refusal("invalid", "address: give the e-mail address, or the LinkedIn profile name.")
    if kind == AccountKind.SMTP:
        try:
            validate_email(address)
        except ValidationError:
            return Refusal("invalid", f"address: {address} is no e-mail address; write it as name@company.example.")
    return None


def check_account(
    *, member: Member, account_id: int, checker: MailChecker, now: datetime
) -> tuple[Finding, ...] | Refusal:
    """Try the account's servers as they stand; nothing is sent. The calls are outside a transaction.

    What was found is kept with the account, unless somebody changed it meanwhile.
    """
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    account = SendingAccount.objects.select_related("team").filter(team=member.team, pk=account_id).first()
    if account is None:
        return Refusal("not-found", "There is no such account in your team.")
    if not (account.smtp_host or account.imap_host):
        return Refusal("nothing", "This account has no server of its own; give one first.")
    findings = tuple(_findings(account=account, checker=checker))
    with transaction.atomic():
        tried = {name: getattr(account, name) for name in CONNECTION}
        SendingAccount.objects.filter(pk=account.pk, **tried).update(
            tested_at=now, test_faults=[[one.part, one.code, one.text] for one in findings]
        )
        record(
            team=member.team,
            actor=member.user,
            action="account.tested",
            target=account,
            details={"found": [f"{one.part}: {one.code}" for one in findings]},
        )
    return findings


def _findings(*, account: SendingAccount, checker: MailChecker) -> list[Finding]:
    sending, reading = mail_server_of(account=account), mailbox_of(account=account)
    found: list[Finding | None] = []
    if sending is not None:
        found.append(
            Finding("smtp", "secret", sending.reason)
            if isinstance(sending, Closed)
            else checker.sending(server=sending, address=account.address)
        )
    if reading is not None:
        found.append(
            Finding("imap", "secret", reading.reason)
            if isinstance(reading, Closed)
            else checker.reading(server=reading)
        )
    return [one for one in found if one is not None]
