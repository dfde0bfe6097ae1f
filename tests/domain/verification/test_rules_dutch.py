"""The claim contract in Dutch: what passes, and what is found."""

import pytest

from .cases import report

FEMKE = "W3-D6"

TRUE = [
    # reactions and offers
    "Ik heb je bericht bewaard.",
    "Zullen we elkaar in januari spreken?",
    "Je verhaal liet me niet los.",
    # titles
    "Je bent Supply Chain Director bij Veldwind.",
    "Bij Veldwind was je eerst Supply Chain Manager.",
    "Femke Aalbers is logistiek manager.",
    # dates, tenure, recency
    "Sinds februari bent u Supply Chain Director bij Veldwind Fietsen.",
    "Begin september opende Veldwind een distributiecentrum in Venlo.",
    "Vorige maand schreef je over de tweede leverancier in Polen.",
    "Je werkt al ruim vier jaar bij Veldwind.",
    # separated verbs and split infinitives
    "Je wilde een maand lang niets omgooien.",
    "Je liep mee in het magazijn, bij de chauffeurs en op de klantenservice, was het plan.",
    "Onderdelen die de lijn stilleggen, koopt u dubbel in.",
    # polarity, quantities and rounding
    "De frames blijven uit Taiwan komen.",
    "De levertijd daalde van eenentwintig naar negen weken.",
    "Per stuk zijn jullie zes procent duurder uit.",
    "De kwalificatie duurde acht maanden in plaats van vier.",
    "In Venlo werken bijna vijftig mensen.",
    "Je geeft leiding aan vierendertig mensen.",
    # quotation
    "Je schreef: “Dubbel inkopen doe je voor onderdelen die je hele lijn kunnen stilleggen, niet uit principe.”",
    "“Liever een saaie planning dan een spannende”, staat in je profiel.",
    # reshares with their author
    "In juni deelde je het verhaal van Bas Kuipers over retouren.",
    # connections
    "Anouk Reitsma kennen we allebei.",
    "We waren in maart allebei op de Supply Chain Dag in Utrecht.",
    # education
    "Je studeerde Supply Chain Management in Groningen.",
    # the company and the colleagues
    "De Luna van Veldwind werd E-bike van het Jaar.",
    "Femke Aalbers leidde het project in Venlo.",
    # the sender
    "58 bedrijven in de Benelux gebruiken Planwijs.",
    "De koppeling met het ERP-systeem staat binnen drie weken.",
    "Een fabrikant van tuinmeubelen verminderde met Planwijs zijn voorraadwaarde met twaalf procent.",
    # acts
    "Heb je volgende week twintig minuten voor een gesprek?",
    "Zou je openstaan voor een demo?",
    "Mag ik vragen hoe u nu naar de planning kijkt?",
    "Ik laat het je graag zien.",
    "Laat het me gerust weten als het niet past.",
    "Je bericht bleef hangen.",
    "Hoe bepalen jullie nu hoeveel voorraad er nodig is?",
    "Bedankt voor je aandacht.",
]

FALSE = [
    # questions that take something for granted
    ("Waarom ben je uit de consultancy gestapt?", None),
    ("Hoe loopt het nieuwe kantoor in Singapore?", None),
    # titles
    ("Je bent COO van Veldwind.", "title"),
    ("Als Supply Chain Manager ken je dat.", "title"),
    ("Je was Hoofd Inkoop bij Hollander Keukens.", "title"),
    # dates, tenure, recency
    ("Gefeliciteerd met je nieuwe functie!", "recency"),
    ("Vorige maand opende Veldwind het distributiecentrum in Venlo.", "recency"),
    ("Je bent al tien jaar bij Veldwind.", None),
    ("Onlangs ben je bij Veldwind begonnen.", None),
    ("Sinds mei ben je Supply Chain Director.", "date"),
    # achievements and actors
    ("Gefeliciteerd met de opening van het distributiecentrum in Venlo, dat jij hebt geleid.", "achievement"),
    ("Je leidde de bouw van het distributiecentrum in Venlo.", "achievement"),
    ("Je ontwierp de Luna.", "achievement"),
    ("De Flits werd E-bike van het Jaar.", None),
    # quotes and paraphrases
    ("Je schreef: “Alles komt naar Europa.”", "quote"),
    ("Je schreef dat de frames ook naar Europa komen.", None),
    ("Dubbel inkopen doe je uit principe.", None),
    ("Je wilde alles omgooien.", None),
    # reshares as own words
    ("Je stuurde een meetlint mee bij elke offerte.", "quote"),
    ("Jullie aantal retouren is gehalveerd.", None),
    # connections
    ("Bas Kuipers is een gemeenschappelijke connectie.", "connection"),
    ("Anouk Reitsma raadde me aan om je te schrijven.", "connection"),
    ("Leuk je gesproken te hebben in Utrecht.", "connection"),
    ("We hebben samen in Groningen gestudeerd.", "connection"),
    # numbers
    ("De levertijd ging van 21 naar 6 weken.", None),
    ("Je geeft leiding aan drieënveertig mensen.", None),
    ("In Venlo werken ruim zestig mensen.", None),
    ("Hoe stuurt u die 84 mensen aan?", None),
    # education
    ("Je studeerde Supply Chain Management in Twente.", None),
    ("Je deed een MBA in Rotterdam.", None),
    # the sender
    ("158 bedrijven gebruiken Planwijs.", None),
    ("De koppeling staat binnen drie dagen.", None),
    # inferences
    ("Jullie hebben moeite met de voorraad in Venlo.", None),
    ("Hoe verloopt je SAP-migratie?", "inference"),
    ("Ik schreef ook Petra Klein hierover.", None),
]


@pytest.mark.parametrize("text", TRUE)
def test_a_true_sentence_passes(text: str) -> None:
    assert report(text, dossier_id=FEMKE, language="nl").findings == ()


@pytest.mark.parametrize(("text", "kind"), FALSE)
def test_a_false_sentence_is_found(text: str, kind: str | None) -> None:
    kinds = [str(claim.type) for claim in report(text, dossier_id=FEMKE, language="nl").findings]
    assert kinds
    assert kind is None or kind in kinds


@pytest.mark.parametrize("greeting", ["Hoi Femke,", "Beste mevrouw Van der Laan,", "Geachte mevrouw van der Laan,"])
def test_a_greeting_with_the_prospects_name_passes(greeting: str) -> None:
    assert report(f"{greeting}\n\nBedankt voor uw tijd.", dossier_id=FEMKE, language="nl").passes


def test_a_greeting_with_another_name_is_found() -> None:
    wrong = report("Beste mevrouw Aalbers,\n\nBedankt voor uw tijd.", dossier_id=FEMKE, language="nl").findings
    assert [claim.span for claim in wrong] == ["Aalbers"]


@pytest.mark.parametrize("closing", ["Met vriendelijke groet,", "Groeten,", "Hartelijke groet,"])
def test_a_closing_with_the_senders_name_passes(closing: str) -> None:
    text = f"Bedankt voor uw tijd.\n\n{closing}\nJeroen Bosma\nAccountmanager Planwijs"
    assert report(text, dossier_id=FEMKE, language="nl").passes
