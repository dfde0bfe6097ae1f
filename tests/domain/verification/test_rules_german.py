"""The claim contract in German: what passes, and what is found."""

import pytest

from .cases import report

STEFAN, BEAT = "W3-D2", "W3-D3"

TRUE = [
    # titles, also after a fronted phrase and shortened
    (STEFAN, "Sie sind Head of Platform Engineering bei Palettino."),
    (STEFAN, "Bei Palettino sind Sie Head of Platform Engineering."),
    (BEAT, "Sie waren Stellvertretender Leiter Schadenservice Nichtleben."),
    (BEAT, "Bei der Bodan Assekuranz waren Sie Schadeninspektor."),
    (STEFAN, "Miriam Tauber ist CTO bei Palettino."),
    # polite and familiar address
    (STEFAN, "Du leitest seit gut einem Jahr das Platform Engineering."),
    (BEAT, "Seit Januar 2022 leiten Sie den Schadenservice Nichtleben."),
    # dates, tenure, recency
    (STEFAN, "Anfang September hat Palettino ein Büro in Brünn eröffnet."),
    (STEFAN, "Am 11. Juni hast du beim Cloud-Stammtisch Wien gesprochen."),
    (BEAT, "Vor zwanzig Jahren haben Sie als Schadeninspektor begonnen."),
    (BEAT, "Für nächsten Sommer planen Sie regionale Besichtigungszentren."),
    # separated verbs and infinitives with "zu"
    (BEAT, "Sie hörten im Februar damit auf, die App bei Wasserschäden zu bewerben."),
    (BEAT, "Die App für Wasserschäden bewerben Sie seit Februar nicht mehr."),
    (STEFAN, "Ihr habt die Runner nach sechs Wochen wieder zurückgedreht."),
    # compounds by their parts, and the other gender
    (BEAT, "Bei Wasserschäden greifen die Leute fast immer zum Telefon, schreiben Sie."),
    (STEFAN, "Die CI-Runner liefen im Sommer auf Spot-Instanzen."),
    # numbers in words, written together, rounded
    (BEAT, "Sie verantworten die Schäden mit vierundsechzig Mitarbeitenden."),
    (STEFAN, "In Brünn beginnt Lukáš Novotný mit einem vierköpfigen Team."),
    (BEAT, "Drei Viertel kamen sauber über App und Portal herein, schreiben Sie."),
    (STEFAN, "Die Runde brachte Palettino 22 Mio. Euro."),
    # quotation
    (STEFAN, "Du schreibst: „Diese Wartezeit steht auf keiner AWS-Rechnung.“ Das stimmt."),
    (BEAT, "«Die Meldungen waren nicht das Problem», schreiben Sie."),
    # reshares with their author
    (STEFAN, "Im Juli hast du den Beitrag von Miriam Tauber über den freien Montag geteilt."),
    # connections
    (BEAT, "Sandra Iseli kennen wir beide."),
    (BEAT, "Am Schadenforum Bern waren wir im September beide."),
    (STEFAN, "Wir haben beide an der TU Wien studiert."),
    # the sender
    (STEFAN, "Kubik Metrics ist in unter einem Tag eingerichtet."),
    (BEAT, "Die Einführung dauert acht Wochen."),
    (STEFAN, "Ein Wiener Softwarehaus hat seine Cloud-Rechnung mit Kubik Metrics um 23 Prozent reduziert."),
    # acts
    (STEFAN, "Hättest du nächste Woche zwanzig Minuten für ein Gespräch?"),
    (BEAT, "Ihre Sicht dazu würde ich gerne hören."),
    (BEAT, "Darf ich Sie zu meinen Kontakten hinzufügen?"),
    (STEFAN, "Falls das Thema gerade nicht passt, genügt eine kurze Antwort."),
    (STEFAN, "Wie teilt ihr die Kosten heute auf die Teams auf?"),
    (BEAT, "Mich würde interessieren, wie Sie das handhaben."),
    (BEAT, "Ihr Beitrag ist mir im Kopf geblieben."),
    (STEFAN, "Vielen Dank fürs Lesen."),
    # reactions, wishes and offers without "I"
    (STEFAN, "Alle Achtung!"),
    (BEAT, "Ihren Beitrag habe ich mir gemerkt."),
    (BEAT, "Auf gute Vernetzung!"),
    (STEFAN, "Ließe sich das in einem Telefonat klären?"),
    (BEAT, "Selten liest man so etwas."),
    (STEFAN, "Deine Worte haben mir zu denken gegeben."),
]

FALSE = [
    # questions that take something for granted
    (STEFAN, "Wussten Sie, dass Sie den Regionalpreis gewonnen haben?", None),
    (BEAT, "Warum haben Sie sich von Ihrem alten Lieferanten getrennt?", None),
    (BEAT, "Wie läuft das neue Büro in Singapur?", None),
    # titles
    (STEFAN, "Du bist CTO von Palettino.", "title"),
    (STEFAN, "Als CTO kennst du die Kosten.", "title"),
    (STEFAN, "Du bist Senior Site Reliability Engineer bei Bergwind.", "title"),
    (BEAT, "Als Leiterin Schadenservice Leben kennen Sie das.", "title"),
    (BEAT, "Sie sind Bereichsleiter bei Helvaria.", "title"),
    # dates, tenure, recency
    (STEFAN, "Seit drei Jahren leitest du das Platform Engineering.", None),
    (STEFAN, "Letzte Woche hat Palettino das Büro in Brünn eröffnet.", "recency"),
    (BEAT, "Gratulation zu Ihrer neuen Rolle!", "recency"),
    (BEAT, "Kürzlich haben Sie den Schadenservice übernommen.", None),
    (BEAT, "Am 12. September haben Sie am Schadenforum gesprochen.", None),
    # achievements and actors
    (STEFAN, "Glückwunsch zur Series B, die du verhandelt hast!", None),
    (STEFAN, "Du hast die ISO-27001-Zertifizierung geleitet.", "achievement"),
    (BEAT, "Sie haben 2026 den Swiss Claims Award gewonnen.", None),
    # quotes and paraphrases
    (STEFAN, "Du schreibst: „Spot ist schlecht.“", "quote"),
    (STEFAN, "Du findest, dass Spot schlecht ist.", None),
    (STEFAN, "Auch die nächtlichen Datenjobs habt ihr zurückgedreht.", None),
    (BEAT, "Die Beschwerden sind seither gestiegen.", None),
    (BEAT, "Sie sagen, dass man das Telefon immer verstecken soll.", None),
    # reshares as own words
    (STEFAN, "Du hast das Planning auf Dienstag verlegt und eine fixe Vertretung benannt.", "quote"),
    # connections
    (BEAT, "Reto Caduff ist ein gemeinsamer Kontakt.", "connection"),
    (BEAT, "Sandra Iseli hat mir empfohlen, Ihnen zu schreiben.", "connection"),
    (BEAT, "Es war schön, Sie am Schadenforum kennenzulernen.", "connection"),
    (BEAT, "Ihren Vortrag in Bern habe ich gehört.", "connection"),
    (STEFAN, "Wir haben zur gleichen Zeit an der TU Wien studiert.", "connection"),
    # numbers
    (BEAT, "Ihr Team hat vierundachtzig Mitarbeitende.", None),
    (STEFAN, "Die Runner kosteten auf Spot 60 Prozent weniger.", None),
    (STEFAN, "In Brünn beginnt Lukáš Novotný mit einem zwölfköpfigen Team.", None),
    (BEAT, "Was wird aus den 24 Mitarbeitenden in St. Gallen?", None),
    # education
    (BEAT, "Sie haben an der Universität St. Gallen studiert.", None),
    # the sender
    (STEFAN, "Kubik Metrics wird von 165 Engineering-Teams genutzt.", None),
    (BEAT, "Termino hat die Wartezeit von elf auf zwei Tage verkürzt.", None),
    # inferences
    (STEFAN, "Ihre Cloud-Rechnung läuft gerade aus dem Ruder.", None),
    (BEAT, "Wie läuft Ihre SAP-Einführung?", "inference"),
]


@pytest.mark.parametrize(("dossier_id", "text"), TRUE)
def test_a_true_sentence_passes(dossier_id: str, text: str) -> None:
    assert report(text, dossier_id=dossier_id, language="de").findings == ()


@pytest.mark.parametrize(("dossier_id", "text", "kind"), FALSE)
def test_a_false_sentence_is_found(dossier_id: str, text: str, kind: str | None) -> None:
    kinds = [str(claim.type) for claim in report(text, dossier_id=dossier_id, language="de").findings]
    assert kinds
    assert kind is None or kind in kinds


@pytest.mark.parametrize(
    "greeting", ["Guten Tag Herr Radakovits", "Sehr geehrter Herr Radakovits,", "Hallo Stefan,", "Lieber Stefan,"]
)
def test_a_greeting_with_the_prospects_name_passes(greeting: str) -> None:
    assert report(f"{greeting}\n\nVielen Dank fürs Lesen.", dossier_id=STEFAN, language="de").passes


def test_a_greeting_with_another_name_is_found() -> None:
    wrong = report("Guten Tag Herr Radl,\n\nVielen Dank fürs Lesen.", dossier_id=STEFAN, language="de").findings
    assert [claim.span for claim in wrong] == ["Radl"]


@pytest.mark.parametrize("closing", ["Mit freundlichen Grüssen", "Liebe Grüße", "LG", "Herzliche Grüße aus Wien"])
def test_a_closing_with_the_senders_name_passes(closing: str) -> None:
    text = f"Vielen Dank fürs Lesen.\n\n{closing}\nNora Feichtinger\nAccount Executive, Kubik Metrics"
    assert report(text, dossier_id=STEFAN, language="de").passes
