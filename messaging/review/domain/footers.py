"""The fixed words under a message: who we are, where the data came from, how to object.

Articles 14 and 21 GDPR ask for them at the latest with the first message.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FooterWords:
    """{sources}, {date}, {basis} and {url} are filled in; profile and contacts are names of sources."""

    source: str
    basis: str
    objection: str
    assisted: str
    profile: str
    contacts: str


ENGLISH = FooterWords(
    source="Why you: we found your details in {sources}, last read on {date}.",
    basis="Basis: {basis}. You may ask what we hold, or object at any time.",
    objection="No more messages from us: {url}",
    assisted="Say “no thanks” and I won’t write again.",
    profile="your public LinkedIn profile",
    contacts="a list of business contacts",
)

#: By primary language subtag; a language that is not here gets English.
WORDS = {
    "en": ENGLISH,
    "de": FooterWords(
        source="Warum Sie: Ihre Daten stammen aus {sources}, zuletzt gelesen am {date}.",
        basis="Grundlage: {basis}. Sie können Auskunft verlangen und jederzeit widersprechen.",
        objection="Keine weiteren Nachrichten von uns: {url}",
        assisted="Ein „Nein danke“ genügt, dann schreibe ich nicht mehr.",
        profile="Ihrem öffentlichen LinkedIn-Profil",
        contacts="einer Liste von Geschäftskontakten",
    ),
    "fr": FooterWords(
        source="Pourquoi vous : vos données proviennent de {sources}, lues le {date}.",
        basis="Base : {basis}. Vous pouvez demander l’accès à vos données et vous opposer à tout moment.",
        objection="Ne plus recevoir de messages : {url}",
        assisted="Répondez « non merci » et je n’écrirai plus.",
        profile="votre profil LinkedIn public",
        contacts="une liste de contacts professionnels",
    ),
    "es": FooterWords(
        source="Por qué usted: sus datos proceden de {sources}, leídos el {date}.",
        basis="Base: {basis}. Puede pedir acceso a sus datos y oponerse en cualquier momento.",
        objection="No recibir más mensajes: {url}",
        assisted="Con un «no, gracias» no volveré a escribir.",
        profile="su perfil público de LinkedIn",
        contacts="una lista de contactos profesionales",
    ),
}


def words_for(language: str) -> FooterWords:
    return WORDS.get(language.split("-", 1)[0].lower(), ENGLISH)
