"""The mail server of this installation, from its settings."""

from __future__ import annotations

from django.conf import settings

from messaging.delivery.channels.smtp.transport import SmtpServer


def configured_server() -> SmtpServer:
    return SmtpServer(
        host=settings.EMAIL_HOST,
        port=settings.EMAIL_PORT,
        user=settings.EMAIL_HOST_USER,
        password=settings.EMAIL_HOST_PASSWORD,
        starttls=settings.EMAIL_USE_TLS,
        implicit_tls=settings.EMAIL_USE_SSL,
        timeout=settings.EMAIL_TIMEOUT,
    )
