"""Settings of the site. Everything that differs between installations is an environment variable.

Without `DATABASE_URL` the site runs on its embedded services, whose sockets lie below the folder
`FOOTNOTE_DATA`; with it, the services are somebody else's and every address must be given.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.management.utils import get_random_secret_key

from outreach.embedded.layout import Layout
from outreach.environment import Environment, MailServer

ROOT = Path(__file__).resolve().parent.parent
env = Environment(os.environ)

# -- where it runs ---------------------------------------------------------------------------
EMBEDDED = not env.given("DATABASE_URL")
FOOTNOTE_DATA = Path(env.text("FOOTNOTE_DATA", default=str(ROOT / "var"))).absolute()
layout = Layout(FOOTNOTE_DATA)
DEBUG = env.boolean("DEBUG", default=False)
if EMBEDDED and not env.given("SECRET_KEY"):
    # A process started beside the supervisor (an editor, a type checker) needs none that lasts.
    SECRET_KEY = layout.stored_secret() or get_random_secret_key()
else:
    SECRET_KEY = env.required("SECRET_KEY", minimum=50, remedy="set at least 50 random characters and keep them")
# A harmless stand-in keeps the settings importable; the recorded fault stops every server.
SECRET_KEY = SECRET_KEY or get_random_secret_key()
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", default=[])
# Suppressions are keyed hashes that outlive everything: with keys of their own they survive a change of SECRET_KEY.
SUPPRESSION_KEYS = env.keys("SUPPRESSION_KEYS") or dict(enumerate((*reversed(SECRET_KEY_FALLBACKS), SECRET_KEY), 1))
# Passwords of mailboxes and keys of models are encrypted under these: `bin/manage rotate_secrets` after adding one.
SECRET_STORE_KEYS = env.keys("SECRET_STORE_KEYS") or dict(enumerate((*reversed(SECRET_KEY_FALLBACKS), SECRET_KEY), 1))
BASE_URL = env.url("BASE_URL", schemes=("http", "https"), default="http://localhost:8000" if EMBEDDED or DEBUG else "")
if not BASE_URL:
    env.required("BASE_URL", remedy="set the address people open, as https://footnote.example.com")
_site = urlsplit(BASE_URL)
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS", default=[_site.hostname or "localhost", *(["localhost", "127.0.0.1", "[::1]"] if EMBEDDED else [])]
)
CSRF_TRUSTED_ORIGINS = [BASE_URL] if BASE_URL else []

# -- services --------------------------------------------------------------------------------
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        **(layout.database() if EMBEDDED else env.database("DATABASE_URL")),
    }
}
if env.given("BROKER_URL"):
    CELERY_BROKER_URL = env.broker("BROKER_URL")
elif EMBEDDED:
    CELERY_BROKER_URL = layout.broker_url()
else:
    CELERY_BROKER_URL = env.required("BROKER_URL", remedy="set it, as redis://HOST:6379/0")
if env.given("CACHE_URL"):
    _cache = env.url("CACHE_URL", schemes=("redis", "rediss"))
else:
    _cache = layout.cache_url() if EMBEDDED and not env.given("BROKER_URL") else ""
CACHES = {
    # Without an address each process keeps its own, which suffices for one web process.
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": _cache}
    if _cache
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_TIMEOUT = 20
if EMBEDDED and not env.given("EMAIL_URL"):
    _mail = MailServer(host="127.0.0.1", port=layout.catchall_port())
elif env.required("EMAIL_URL", remedy="set it, as smtp://USER:PASSWORD@HOST:587?tls=starttls"):
    _mail = env.mail("EMAIL_URL")
else:
    _mail = MailServer()
EMAIL_HOST = _mail.host
EMAIL_PORT = _mail.port
EMAIL_HOST_USER = _mail.user
EMAIL_HOST_PASSWORD = _mail.password
EMAIL_USE_TLS = _mail.tls
EMAIL_USE_SSL = _mail.ssl
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", default=f"footnote@{_site.hostname or 'localhost'}")
# The demonstration's mailbox page exists only where the catch-all is the mail server.
CATCHALL = EMBEDDED and not env.given("EMAIL_URL")

# Servers in private networks that a team may name for its mailboxes and its model, as 10.0.0.5:587; none by default.
PRIVATE_SERVERS = env.servers("PRIVATE_SERVERS")

# -- language model --------------------------------------------------------------------------
# Without an endpoint the embedded composer writes; it renders evidence and says so.
OPENAI_BASE_URL = env.url("OPENAI_BASE_URL", schemes=("http", "https"))
OPENAI_API_KEY = env.text("OPENAI_API_KEY")
OPENAI_MODEL = env.text("OPENAI_MODEL")
# Drafts under way at once in each worker; the server's own limit, when it has one.
OPENAI_CONCURRENCY = env.integer("OPENAI_CONCURRENCY", default=16, minimum=1, maximum=512)
OPENAI_TIMEOUT = env.integer("OPENAI_TIMEOUT", default=60, minimum=1, maximum=600)
# A second reader of what was written; off unless named. It may lift a paraphrase, with proof, and veto anything.
OPENAI_JUDGE_MODEL = env.text("OPENAI_JUDGE_MODEL")
OPENAI_JUDGE_TIMEOUT = env.integer("OPENAI_JUDGE_TIMEOUT", default=20, minimum=1, maximum=600)
# Per million tokens, in the account's currency; nought leaves costs out.
OPENAI_PRICE_PROMPT = env.amount("OPENAI_PRICE_PROMPT")
OPENAI_PRICE_CACHED = env.amount("OPENAI_PRICE_CACHED")
OPENAI_PRICE_COMPLETION = env.amount("OPENAI_PRICE_COMPLETION")
if OPENAI_API_KEY and not OPENAI_BASE_URL and not OPENAI_MODEL:
    # An endpoint of one's own is asked which model it serves; OpenAI serves too many to choose from.
    env.required("OPENAI_MODEL", remedy="name the model to write with")

# -- Django ----------------------------------------------------------------------------------
INSTALLED_APPS = [
    "outreach.apps.SiteConfig",
    "outreach.home.apps.HomeConfig",
    "analytics.apps.AnalyticsConfig",
    "messaging.apps.MessagingConfig",
    "prospects.apps.ProspectsConfig",
    "outreach.campaigns.apps.CampaignsConfig",
    "outreach.teams.apps.TeamsConfig",
    "allauth",
    "allauth.account",
    "django_htmx",
    "pgtrigger",
    "rest_framework",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "outreach.security.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "outreach.urls"
WSGI_APPLICATION = "outreach.wsgi.application"
ASGI_APPLICATION = "outreach.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "outreach.teams.context.shell",
            ],
        },
    }
]
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True
FORMS_URLFIELD_ASSUME_HTTPS = True

# -- static files ----------------------------------------------------------------------------
STATIC_URL = "static/"
STATICFILES_DIRS = [ROOT / "static"]
# Collected with hashed names where a folder is named; served from the source folders otherwise.
STATIC_ROOT = env.text("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_ROOT
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
MEDIA_ROOT = FOOTNOTE_DATA / "media"

# -- people ----------------------------------------------------------------------------------
AUTH_USER_MODEL = "teams.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "outreach.accounts.ClosedSignup"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = LOGIN_URL
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # a form anybody can send must not send mail to anybody
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Footnote] "
ACCOUNT_SESSION_REMEMBER = True

# -- transport security ----------------------------------------------------------------------
_https = _site.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SECURE_SSL_REDIRECT = _https and env.boolean("SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", default=31_536_000 if _https else 0, minimum=0, maximum=63_072_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _https
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if env.boolean("TRUST_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- API -------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    # No browsable pages: they need inline script, which the content policy refuses.
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
}

# -- background work -------------------------------------------------------------------------
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False  # the row is the queue: a lost message is found again by a sweep
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 5}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

LOG_LEVEL = env.choice("LOG_LEVEL", options=("DEBUG", "INFO", "WARNING", "ERROR"), default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    # Sweeps and requests to the model come every few seconds; they are only told on request.
    "loggers": {
        name: {"level": "INFO" if LOG_LEVEL == "DEBUG" else "WARNING"}
        for name in ("celery.worker.strategy", "celery.app.trace", "celery.beat", "httpx2")
    },
}

ENVIRONMENT_FAULTS = tuple(env.faults)
