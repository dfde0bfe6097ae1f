"""The claim contract, bullet by bullet, in French: what passes, and what is found and why."""

import pytest

from .cases import report

MAELLE, GENEVIEVE = "W4-D1", "W4-D3"

TRUE = [
    # titles, masculine and feminine, abbreviated or written out
    (MAELLE, "Vous êtes directrice industrielle adjointe chez Brévenne depuis janvier 2025."),
    (MAELLE, "Avant cela, vous étiez responsable maintenance chez Solvatis Composites."),
    (GENEVIEVE, "En tant que vice-présidente produit chez Pécule, vous suivez aussi le design."),
    (GENEVIEVE, "Mireille Gagnon-Roy est cheffe de la technologie chez Pécule."),
    (MAELLE, "Thierry Bonnamour est directeur industriel chez Brévenne."),
    # dates, tenure and recency
    (MAELLE, "Vous êtes intervenue aux Rencontres Maintenance & Textile en mars."),
    (MAELLE, "Vous travaillez chez Brévenne depuis près de deux ans."),
    (GENEVIEVE, "Votre publication du 22 septembre m'a fait sourire."),
    (GENEVIEVE, "Félicitations pour votre poste de VP Produit !"),
    (MAELLE, "Le démarrage de la ligne est prévu au deuxième trimestre 2027."),
    # achievements and actors
    (MAELLE, "Sandrine Oulmi a reçu le Prix Innovation Textile 2026."),
    (MAELLE, "Vous avez été finaliste aux Trophées Femmes de l'Industrie."),
    (GENEVIEVE, "Bravo à Geneviève Lauzon pour sa place parmi les Femmes de tête en fintech."),
    # quotes and paraphrases
    (GENEVIEVE, "Vous écriviez : « je suis en paix avec ce 68 »."),
    (GENEVIEVE, "La complétion est passée de 52 % à 71 %."),
    (GENEVIEVE, "La complétion a grimpé de 52 % à 71 %."),
    (MAELLE, "Les candidatures ont doublé, de 11 à 22."),
    (MAELLE, "Les candidatures ont augmenté."),
    (MAELLE, "Vous n'avez pas moins d'arrêts."),
    # reshares with their author
    (MAELLE, "Vous avez partagé le texte de Thierry Bonnamour sur la certification ISO 50001."),
    # connections
    (MAELLE, "Pascal Vernet est une relation que nous avons en commun."),
    (MAELLE, "Nous étions tous les deux aux Rencontres Maintenance & Textile à Lyon."),
    # numbers, rounding and derivations
    (MAELLE, "Une trentaine de postes doivent être créés à Roanne."),
    (MAELLE, "Deux interventions sur trois sont aujourd'hui planifiées."),
    (GENEVIEVE, "Vous avez enseigné les maths au secondaire pendant trois ans."),
    # education
    (MAELLE, "Vous avez étudié à l'IUT de Brest."),
    # the sender
    (MAELLE, "Planivo est utilisé sur 27 sites industriels en France et en Suisse."),
    (MAELLE, "Chez Filatures Berthoud, les arrêts non planifiés ont baissé de 31 % en neuf mois."),
    # acts
    (MAELLE, "Auriez-vous vingt minutes la semaine prochaine ?"),
    (MAELLE, "Si ce n'est pas le bon moment, ne prenez pas la peine de répondre."),
    (MAELLE, "J'imagine que la maintenance de la ligne se prépare déjà."),
    (MAELLE, "Qui suit les interventions de nuit chez vous ?"),
    (MAELLE, "Je serais ravi d'en parler avec vous."),
    (MAELLE, "Merci de m'avoir lu."),
    # acts, turns of phrase and closings beyond the plainest
    (MAELLE, "Est-ce un sujet que vous aimeriez creuser autour d'un café ?"),
    (MAELLE, "Je vous prie d'agréer mes salutations distinguées."),
    (MAELLE, "Je pose la question sans arrière-pensée."),
    (MAELLE, "Il suffit de me répondre « oui »."),
    (GENEVIEVE, "J'espère que vos lecteurs le liront jusqu'au bout."),
    (MAELLE, "Si alléger la saisie figure parmi vos chantiers de 2027, je viens vous montrer Planivo."),
    (MAELLE, "J'étais aux Rencontres moi aussi."),
]

FALSE = [
    # titles: upwards, sideways, former as current, a colleague's
    (MAELLE, "En tant que directrice industrielle de Brévenne, vous avez trois sites.", "title"),
    (MAELLE, "Vous êtes responsable maintenance chez Solvatis Composites.", "title"),
    (MAELLE, "Comme directrice R&D, vous connaissez la membrane.", "title"),
    (GENEVIEVE, "Vous êtes PDG de Pécule.", "title"),
    (GENEVIEVE, "Votre rôle actuel de directrice produit m'intéresse.", "title"),
    (GENEVIEVE, "Vous êtes présidente produit chez Pécule.", "title"),
    # dates, tenure and recency
    (MAELLE, "Félicitations pour votre nouveau poste de directrice industrielle adjointe !", "recency"),
    (MAELLE, "Vous avez récemment rejoint Brévenne.", "recency"),
    (MAELLE, "Vous travaillez chez Brévenne depuis cinq ans.", None),
    (GENEVIEVE, "Vous avez rejoint Pécule cet été.", "date"),
    (MAELLE, "Maintenant que la nouvelle ligne d'enduction a démarré, le planning change.", None),
    (MAELLE, "Vous êtes intervenue à Lyon le mois dernier.", "recency"),
    (GENEVIEVE, "Pécule a clos une série A le mois dernier.", "recency"),
    # achievements and actors
    (MAELLE, "Félicitations pour le Prix Innovation Textile que vous avez reçu !", "achievement"),
    (MAELLE, "Vous avez remporté les Trophées Femmes de l'Industrie.", "achievement"),
    (GENEVIEVE, "Bravo pour la carte prépayée que vous avez pilotée !", "achievement"),
    # quotes, turned or shifted paraphrases
    (GENEVIEVE, "Vous écriviez : « Une étape de moins, c'est toujours de la friction de moins. »", "quote"),
    (MAELLE, "Les candidatures ont baissé, de 11 à 22.", None),
    (MAELLE, "Vous écrivez que les capteurs ne servent à rien.", None),
    (GENEVIEVE, "Votre leçon : chaque étape enlevée, c'est de la friction en moins.", None),
    # somebody else's words
    (MAELLE, "Vous avez relevé les compteurs à la main pendant un mois, avec un carnet.", "quote"),
    # connections
    (MAELLE, "Pascal Vernet m'a conseillé de vous écrire.", "connection"),
    (MAELLE, "Nous nous sommes rencontrés à Lyon.", "connection"),
    (MAELLE, "J'ai écouté votre intervention avec plaisir.", "connection"),
    (MAELLE, "Karine Delmas est une relation commune.", None),
    # numbers and what they measure
    (MAELLE, "Quinze apprentis ont commencé à l'atelier de Roanne.", "number"),
    (MAELLE, "Aujourd'hui, trois interventions sur quatre sont planifiées.", "number"),
    (GENEVIEVE, "Vous faites dix entrevues par semaine.", None),
    # education
    (GENEVIEVE, "Vous avez étudié à l'Université Laval.", None),
    # the sender
    (MAELLE, "Planivo est utilisé sur 72 sites industriels.", "sender"),
    (GENEVIEVE, "Notre panel compte 6 000 familles.", "sender"),
    # motivation, pain, presuppositions
    (MAELLE, "Je sais que votre équipe peine à suivre les interventions.", None),
    (MAELLE, "Comment se passe votre migration vers SAP ?", "inference"),
    # what is only proposed is no meeting; what was said to have been is one
    (MAELLE, "Nous en avons discuté autour d'un café.", "connection"),
    (MAELLE, "Vos collègues sont impatients.", None),
]


@pytest.mark.parametrize(("dossier_id", "text"), TRUE)
def test_a_true_sentence_passes(dossier_id: str, text: str) -> None:
    assert report(text, dossier_id=dossier_id, language="fr").findings == ()


@pytest.mark.parametrize(("dossier_id", "text", "kind"), FALSE)
def test_a_false_sentence_is_found(dossier_id: str, text: str, kind: str | None) -> None:
    kinds = [str(claim.type) for claim in report(text, dossier_id=dossier_id, language="fr").findings]
    assert kinds
    assert kind is None or kind in kinds


def test_the_greeting_name_is_a_claim() -> None:
    assert report("Bonjour Madame Le Gallic,\n\nMerci de m'avoir lu.", dossier_id=MAELLE, language="fr").passes
    wrong = report("Bonjour Marion,\n\nMerci de m'avoir lu.", dossier_id=MAELLE, language="fr").findings
    assert [claim.span for claim in wrong] == ["Marion"]


def test_formal_and_informal_closings_hold_only_the_senders_own_name_and_title() -> None:
    closing = "Merci.\n\nBien cordialement,\nJulien Ambrosini\n{}, Planivo"
    assert report(closing.format("Responsable grands comptes"), dossier_id=MAELLE, language="fr").passes
    assert report("Merci.\n\nÀ bientôt,\nJulien", dossier_id=MAELLE, language="fr").passes
    assert not report(closing.format("Directeur général"), dossier_id=MAELLE, language="fr").passes
