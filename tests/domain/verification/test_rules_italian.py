"""The claim contract, bullet by bullet, in Italian: what passes, and what is found and why."""

import pytest

from .cases import report

GIULIA, ILEANA = "W5-D5", "W5-D8"

TRUE = [
    # titles, in English as recorded or as they are called in Italian
    (GIULIA, "Da settembre dell'anno scorso è Head of Marketing di Caseificio Valdora."),
    (GIULIA, "Come responsabile marketing di Valdora segue un team di sei persone."),
    (GIULIA, "Prima è stata Brand Manager in Valdora."),
    (ILEANA, "Lei è responsabile risorse umane di Meccanica Sillaro."),
    (ILEANA, "Luisa Amaducci è responsabile produzione di Meccanica Sillaro."),
    # dates, tenure and recency
    (ILEANA, "È in Meccanica Sillaro da poco più di cinque anni."),
    (ILEANA, "Il Suo intervento agli HR Days Romagna del 12 novembre si intitola «Assumere senza curriculum»."),
    (GIULIA, "Nel post del 24 febbraio parla del banco di assaggio in nove negozi."),
    (ILEANA, "L'accordo sulle 36 ore partirà a gennaio 2027."),
    # achievements and actors
    (ILEANA, "Luisa Amaducci ha vinto il premio Fabbrica Gentile 2026."),
    (GIULIA, "Ha ricevuto una menzione speciale al Premio Etichetta Chiara."),
    (GIULIA, "Complimenti a Paolo Quintavalla per l'accordo in Baviera, firmato a febbraio."),
    # quotes and paraphrases
    (GIULIA, "Mi piace la frase «Se fra un anno avrò sbagliato, lo scriverò qui»."),
    (GIULIA, "Le domande sulla stagionatura sono passate da 70 a 25 al mese."),
    (GIULIA, "Le domande sulla stagionatura sono scese da 70 a 25 al mese."),
    (ILEANA, "Scrive che non ha ancora dati sugli infortuni."),
    (ILEANA, "Con i progettisti non ha funzionato."),
    (ILEANA, "Da marzo non chiedete più il curriculum ai montatori."),
    # reshares with their author
    (GIULIA, "Ha condiviso il testo di Karim Haddad sui quattordici programmi fedeltà."),
    # connections
    (GIULIA, "Davide Sorrentino è un nostro contatto in comune."),
    (GIULIA, "Eravamo entrambi al Salone Gusto Emilia a settembre."),
    (ILEANA, "Ero anch'io agli HR Days Romagna a novembre."),
    # numbers, rounding and derivations
    (ILEANA, "In otto mesi sono venute 64 persone e ne avete assunte 23."),
    (ILEANA, "Circa un terzo delle 64 persone è stato assunto."),
    (GIULIA, "Il magazzino di Collecchio è costato sette milioni di euro."),
    # education
    (GIULIA, "Ha studiato all'Università di Parma."),
    # the sender
    (ILEANA, "I corsi Manualia sono disponibili in 14 lingue."),
    (ILEANA, "In Fonderie Ravalle l'81% degli addetti ha finito il corso entro la prima settimana."),
    # acts
    (GIULIA, "Avrebbe venti minuti la prossima settimana?"),
    (GIULIA, "Se non è il momento, ignori pure questo messaggio."),
    (GIULIA, "Immagino che la Germania richieda molto lavoro."),
    (ILEANA, "Chi segue la formazione dei nuovi assunti?"),
    (ILEANA, "Mi farebbe piacere mostrarLe un esempio."),
    (ILEANA, "Grazie per l'attenzione."),
    # turns of phrase; a customer's figure is not the prospect's
    (GIULIA, "Forse è una domanda da fare davanti a un bicchiere."),
    (ILEANA, "In Fonderie Ravalle ha finito il corso entro la prima settimana l'81% degli addetti."),
    (ILEANA, "Le farebbe comodo una nota di due pagine?"),
    (GIULIA, "Spero che il post piaccia a molti."),
]

FALSE = [
    # titles: upwards, sideways, former as current, a colleague's
    (GIULIA, "Come direttrice marketing di Valdora avrà visto tanti programmi.", "title"),
    (GIULIA, "Lei è Brand Manager in Valdora.", "title"),
    (GIULIA, "Lei è direttrice commerciale di Valdora.", "title"),
    (ILEANA, "Come direttrice risorse umane conosce l'accordo.", "title"),
    (ILEANA, "Lei è amministratrice delegata di Meccanica Sillaro.", "title"),
    # dates, tenure and recency
    (GIULIA, "Congratulazioni per il Suo nuovo ruolo di Head of Marketing!", "recency"),
    (GIULIA, "Valdora ha appena lanciato la linea senza lattosio.", "recency"),
    (ILEANA, "È in Meccanica Sillaro da dieci anni.", None),
    (ILEANA, "Ora che la settimana di 36 ore è partita, i turni cambiano.", None),
    (ILEANA, "Meccanica Sillaro ha aperto il mese scorso uno stabilimento a Brașov.", "recency"),
    (GIULIA, "È entrata in Valdora l'anno scorso.", None),
    # achievements and actors
    (GIULIA, "Complimenti per l'accordo in Baviera che ha firmato a febbraio!", "achievement"),
    (ILEANA, "Congratulazioni per il premio Fabbrica Gentile!", "achievement"),
    (GIULIA, "Ha vinto il Premio Etichetta Chiara.", "achievement"),
    # quotes, turned or shifted paraphrases
    (ILEANA, "Scrive: «ne abbiamo assunte 32».", "quote"),
    (GIULIA, "Le domande sulla stagionatura sono aumentate.", None),
    (GIULIA, "Scrive che le vendite sono aumentate.", None),
    (ILEANA, "Con i progettisti ha funzionato.", None),
    (ILEANA, "Scrive che gli infortuni sono diminuiti.", None),
    # somebody else's words
    (GIULIA, "Ha guardato quattordici programmi fedeltà degli ultimi tre anni.", "quote"),
    # connections
    (GIULIA, "Davide Sorrentino mi ha suggerito di scriverLe.", "connection"),
    (ILEANA, "Ci siamo incontrate agli HR Days Romagna.", "connection"),
    (ILEANA, "Ho ascoltato il Suo intervento con piacere.", "connection"),
    (GIULIA, "Elena Marchi è un nostro contatto in comune.", None),
    # numbers and what they measure
    (ILEANA, "Sono venute 84 persone in otto mesi.", None),
    (GIULIA, "Le vendite in Germania sono cresciute del 34%.", "number"),
    (ILEANA, "Metà delle 64 persone è stata assunta.", "number"),
    # education
    (ILEANA, "Ha studiato psicologia all'Università di Padova.", None),
    # the sender
    (ILEANA, "Manualia è usata in 51 stabilimenti.", "sender"),
    (ILEANA, "In Fonderie Ravalle tutti gli addetti hanno finito il corso entro la prima settimana.", None),
    # motivation, pain, presuppositions
    (ILEANA, "So che i vostri nuovi assunti fanno fatica con le lingue.", None),
    (GIULIA, "Come procede la Sua migrazione a SAP?", "inference"),
]


@pytest.mark.parametrize(("dossier_id", "text"), TRUE)
def test_a_true_sentence_passes(dossier_id: str, text: str) -> None:
    assert report(text, dossier_id=dossier_id, language="it").findings == ()


@pytest.mark.parametrize(("dossier_id", "text", "kind"), FALSE)
def test_a_false_sentence_is_found(dossier_id: str, text: str, kind: str | None) -> None:
    kinds = [str(claim.type) for claim in report(text, dossier_id=dossier_id, language="it").findings]
    assert kinds
    assert kind is None or kind in kinds


def test_the_greeting_name_is_a_claim() -> None:
    assert report("Gentile dottoressa Dragomir,\n\ngrazie.", dossier_id=ILEANA, language="it").passes
    assert report("Ileana, buongiorno.\n\nGrazie.", dossier_id=ILEANA, language="it").passes
    wrong = report("Buongiorno Irene,\n\ngrazie.", dossier_id=ILEANA, language="it").findings
    assert [claim.span for claim in wrong] == ["Irene"]


def test_formal_and_informal_closings_hold_only_the_senders_own_name_and_title() -> None:
    closing = "Grazie.\n\nUn cordiale saluto,\nFederica Tassinari\n{}, Manualia"
    assert report(closing.format("Customer Partner"), dossier_id=ILEANA, language="it").passes
    assert report("Grazie.\n\nA presto,\nFederica", dossier_id=ILEANA, language="it").passes
    assert not report(closing.format("Direttrice generale"), dossier_id=ILEANA, language="it").passes
