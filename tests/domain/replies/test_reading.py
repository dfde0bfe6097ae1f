"""Tables of plain answers in seven languages. Written before the rules saw them; those misread then were mended since."""

from __future__ import annotations

from datetime import date

import pytest

from messaging.replies.domain.mail import Mail
from messaging.replies.domain.reading import Reading, read

TODAY = date(2026, 11, 4)

SENTENCES = [
    ("unsubscribe", "Please don't send me anything else."),
    ("unsubscribe", "kindly take our company off your mailing list"),
    ("unsubscribe", "I'd rather you stopped emailing"),
    ("unsubscribe", "Remove"),
    ("unsubscribe", "Bitte schreiben Sie mir nicht mehr."),
    ("unsubscribe", "Merci de ne plus m'envoyer de mails."),
    ("unsubscribe", "No me envíe más correos, por favor."),
    ("unsubscribe", "Por favor, retire meu e-mail da lista."),
    ("unsubscribe", "Vi prego di non contattarmi più."),
    ("unsubscribe", "Gelieve mij niet meer te mailen."),
    ("question", "How do your customers handle unsubscribe requests?"),
    ("question", "Could you tell me how pricing works for small teams?"),
    ("question", "Was kostet das pro Nutzer?"),
    ("question", "Combien ça coûte ?"),
    ("question", "¿Qué precio tiene?"),
    ("question", "Qual o preço?"),
    ("question", "Quanto costa?"),
    ("question", "Wat kost het?"),
    ("meeting_booked", "Sure, Thursday at 3pm works. Send an invite."),
    ("meeting_booked", "Dienstag 10 Uhr passt mir gut."),
    ("meeting_booked", "Ok pour jeudi 14h."),
    ("meeting_booked", "El martes a las 10 me va bien."),
    ("meeting_booked", "Quinta às 15h está ótimo."),
    ("meeting_booked", "Giovedì alle 11 va bene."),
    ("meeting_booked", "Donderdag 14.00 uur past prima."),
    ("not_now", "Maybe in Q2. Ping me then."),
    ("not_now", "We don't have budget this year but try me again in January"),
    ("not_now", "Melden Sie sich bitte im Mai noch einmal."),
    ("not_now", "Revenez vers moi en septembre."),
    ("not_now", "Llámame en septiembre."),
    ("not_now", "Me chama em abril."),
    ("not_now", "Ci risentiamo a settembre."),
    ("not_now", "Bel me in april nog eens."),
    ("interested", "Sounds useful, can we talk next week?"),
    ("interested", "Klingt spannend, schicken Sie mir gern mehr Infos."),
    ("interested", "Oui, je veux bien en savoir plus."),
    ("interested", "Me parece muy interesante, ¿podemos hablar?"),
    ("interested", "Tenho interesse, podemos conversar?"),
    ("interested", "Interessante, mi mandi una brochure."),
    ("interested", "Klinkt goed, stuur maar wat info."),
    ("not_interested", "Thanks, but we already use a competitor."),
    ("not_interested", "Danke, aber wir haben aktuell keinen Bedarf."),
    ("not_interested", "Pas intéressé, merci."),
    ("not_interested", "No nos interesa, gracias."),
    ("not_interested", "Não temos interesse, obrigado."),
    ("not_interested", "Non siamo interessati, grazie."),
    ("not_interested", "Geen interesse, bedankt."),
    ("wrong_person", "I've moved to Acme in May, so this isn't my topic any more."),
    ("wrong_person", "Ich arbeite dort seit Januar nicht mehr."),
    ("wrong_person", "Je ne travaille plus chez Renard."),
    ("wrong_person", "Ya no trabajo en esa empresa."),
    ("referral", "Not my area, please speak to our CFO Jane Holt"),
    ("referral", "Dafür ist Herr Meier zuständig, meier@firma.example"),
    ("other", "Please don't unsubscribe me, I like these."),
    ("unsubscribe", "I never signed up for this. Please stop."),
    ("unsubscribe", "Kindly refrain from contacting us in future"),
    ("unsubscribe", "Lassen Sie das bitte künftig."),
    ("unsubscribe", "Bitte keine weiteren Anfragen mehr."),
    ("unsubscribe", "Enlevez-moi de votre fichier prospects"),
    ("unsubscribe", "Por favor no me contacten de nuevo"),
    ("unsubscribe", "Non inviatemi altro materiale"),
    ("unsubscribe", "Haal mij van deze lijst af"),
    ("question", "Is this GDPR compliant? We might object if not."),
    ("question", "Est-ce conforme RGPD ?"),
    ("question", "Do you delete data after the trial?"),
    ("question", "Could you remove the logo from the PDF?"),
    ("not_now", "Im Moment kein Thema, melden Sie sich gern im Herbst wieder."),
    ("not_now", "Too early for us, maybe next year"),
    ("not_now", "Forse l'anno prossimo"),
    ("not_now", "Misschien volgend jaar"),
    ("referral", "Daarvoor moet je bij Peter Smit zijn"),
    ("referral", "Voyez avec Mme Dupuis, c'est elle qui décide."),
    ("interested", "Yes! When can you show us?"),
    ("interested", "Interessant, kunnen we bellen?"),
    ("meeting_booked", "My assistant will send an invite for Thursday 2pm."),
    ("wrong_person", "Wrong department, I'm in HR"),
    ("not_interested", "Wir sind bereits gut versorgt."),
]


def reading(text: str, subject: str = "", headers: dict[str, str] | None = None) -> Reading:
    return read(mail=Mail(text=text, subject=subject, headers=headers or {}), received=TODAY)


@pytest.mark.parametrize(("intent", "text"), SENTENCES, ids=[text for _, text in SENTENCES])
def test_a_plain_answer_is_understood(intent: str, text: str) -> None:
    assert reading(text).intent == intent


@pytest.mark.parametrize(
    "text",
    [
        "Please stop by our office on Monday",
        "No further questions, let's book",
        "Wir haben keine weiteren Fragen, bitte Angebot schicken",
        "We never agreed to a price, can you send one?",
        "I want to stop using our current vendor. Can we talk?",
        "Don't call me before Monday, I'm travelling",
        "We are unsubscribed from Mailchimp and looking for a new tool",
        "No me envíes el PDF antes del lunes",
        "Non mandarmi ancora il contratto, prima parliamo",
        "Stuur mij geen brochure maar een prijs",
        "Ik moet me afmelden voor de webinar van morgen.",
    ],
)
def test_a_near_miss_is_no_opt_out(text: str) -> None:
    assert reading(text).kind == "human"


@pytest.mark.parametrize(
    ("subject", "headers", "kind"),
    [
        ("Out of office: back soon", {}, "auto_reply"),
        ("Re: Out of office policies", {}, "human"),
        ("Takeaway from our call", {}, "human"),
        ("Re: hi", {"auto-submitted": "auto-replied"}, "auto_reply"),
        ("Re: hi", {"auto-submitted": "no"}, "human"),
        ("Re: hi", {"x-auto-response-suppress": "All"}, "human"),
        ("Re: hi", {"precedence": "bulk"}, "human"),
        ("Abwesenheitsnotiz", {}, "auto_reply"),
        ("AW: Automatische Antwort: Angebot", {}, "human"),
    ],
)
def test_machines_are_told_from_people(subject: str, headers: dict[str, str], kind: str) -> None:
    assert reading("We will look into it.", subject, headers).kind == kind


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("I am out of the office and back on 16 November.", "2026-11-16"),
        ("I am away until 2026-11-20.", "2026-11-20"),
        ("Ich bin bis einschließlich 13.11. nicht im Büro.", "2026-11-14"),
        ("Ich bin ab dem 10.12. wieder im Büro.", "2026-12-10"),
        ("Je suis absent, de retour le 23 novembre.", "2026-11-23"),
        ("Estoy de vacaciones, vuelvo el 30 de noviembre.", "2026-11-30"),
        ("Estou de férias e retorno no dia 7 de dezembro.", "2026-12-07"),
        ("Sono in ferie, rientro il 9 gennaio.", "2027-01-09"),
        ("Ik ben afwezig t/m 18 november.", "2026-11-19"),
        ("Ab KW 48 bin ich wieder im Büro.", "2026-11-23"),
        ("I will be away. See our report of 12 March 2024.", "None"),
    ],
)
def test_the_day_of_return_is_found(text: str, back: str) -> None:
    assert str(reading(text).return_date) == back


def test_an_opt_out_inside_the_quote_is_not_theirs() -> None:
    text = "Sounds good, send me the details.\n\nOn Tue, 3 Nov 2026 at 09:00, Ann <a@x.example> wrote:\n> Reply unsubscribe to stop."
    assert reading(text).intent == "interested"
