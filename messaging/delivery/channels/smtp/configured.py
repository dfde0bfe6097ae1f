"""Which mail server a message leaves by: the mailbox's own where the team named one, else that of the installation."""

from __future__ import annotations

from django.conf import settings

from messaging.delivery.channels.smtp.transport import SmtpServer
from outreach.campaigns.adapters.mail import team_guard
from outreach.campaigns.models import SendingAccount
from outreach.campaigns.queries import mail_server_of
from outreach.vault import Closed


def configured_server() -> SmtpServer:
    """The mail server of this installation, from its settings."""
    return SmtpServer(
        host=settings.EMAIL_HOST,
        port=settings.EMAIL_PORT,
        user=settings.EMAIL_HOST_USER,
        password=settings.EMAIL_HOST_PASSWORD,
        starttls=settings.EMAIL_USE_TLS,
        implicit_tls=settings.EMAIL_USE_SSL,
        timeout=settings.EMAIL_TIMEOUT,
    )


def server_of_account(account_id: int) -> SmtpServer | str:
    """The server with the mailbox's password in the clear, or why it cannot be used. Outside a transaction."""
    account = SendingAccount.objects.select_related("team").get(pk=account_id)
    server = mail_server_of(account=account)
    if server is None:
        return configured_server()
    if isinstance(server, Closed):
        return server.reason
    return SmtpServer(
        host=server.host,
        port=server.port,
        user=server.user,
        password=server.password,
        starttls=server.security == "starttls",
        implicit_tls=server.security == "implicit",
        timeout=settings.EMAIL_TIMEOUT,
        guard=team_guard(),
    )
