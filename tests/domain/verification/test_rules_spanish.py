"""The claim contract in Spanish: usted and tú, verbs that carry the person, both decimal signs."""

import pytest

from .cases import report

RUBEN = "W4-D6"
HELLO = "Hola, Rubén:\n\n"

TRUE = [
    # titles
    "Usted es gerente de planta en Ensambles del Bajío desde junio de 2021.",
    "Eres Gerente de Planta en EdB.",
    "Antes fue gerente de producción en Celaya.",
    "Leticia Arreola, gerente de Calidad, encabezó la recertificación.",
    # dates, tenure and recency
    "Lleva más de cinco años como gerente de planta.",
    "Hace poco más de un año canceló la junta de las ocho.",
    "En octubre usted escribió sobre la rotación.",
    "La planta de Silao fue inaugurada en 2023.",
    "La producción arrancará en la segunda mitad del año que viene.",
    # achievements and actors
    "En 2024 recibió el premio Gerente del Año, categoría planta mediana.",
    "Rubén Ontiveros estuvo a cargo de la planta de Silao.",
    "EdB invertirá 35 millones de dólares en Querétaro.",
    # quotes and paraphrases
    "Usted escribió: «Antes de pagar otro bono, súbanse al camión».",
    "La rotación bajó de 9.5 % a 5.2 %.",
    "La rotación bajó de 9,5 % a 5,2 %.",
    "Usted no dice que los bonos sobren.",
    "Cambiaste la junta de una hora por doce minutos de pie junto al tablero.",
    "Leí que cambió dos paradas y agregó una ruta.",
    # reshares with their author
    "Vi que compartió el texto de Leticia Arreola sobre la recertificación.",
    # connections
    "Tenemos un contacto en común: Patricia Sandoval Ruiz.",
    "Patricia Sandoval, directora de Recursos Humanos de Plásticos Corregidora, es un contacto que tenemos en común.",
    "No nos conocemos.",
    # numbers
    "Usted dirige una planta de 1,150 colaboradores.",
    "Cuatro gerentes se subieron al camión durante una semana.",
    # education
    "Estudió la maestría en la Universidad de Guanajuato.",
    # the sender
    "RutaViva mueve a 38,000 trabajadores al día en once estados.",
    "RutaViva mueve a 38 mil trabajadores al día.",
    "El diagnóstico es gratuito y se entrega en diez días hábiles.",
    # acts
    "¿Tendría usted veinte minutos la próxima semana?",
    "¿Te parece si lo platicamos con un café?",
    "Me gustaría conocer su opinión.",
    "Si no es el momento, no hace falta que me conteste.",
    "Quedo a sus órdenes.",
    "Muchas gracias por su tiempo.",
]

FALSE = [
    # titles: upwards, sideways, former as current, a colleague's
    ("Como director de planta usted decide.", "title"),
    ("Usted es director de Operaciones en EdB.", "title"),
    ("Eres gerente de producción en Celaya.", "title"),
    ("Usted es gerente de calidad.", "title"),
    # dates, tenure and recency
    ("Felicidades por su nuevo puesto como gerente de planta.", "recency"),
    ("Acaba de incorporarse a Ensambles del Bajío.", "recency"),
    ("Lleva ocho años como gerente de planta.", None),
    ("Usted escribió sobre la rotación hace unos meses.", "recency"),
    ("La planta de Silao fue inaugurada en 2025.", "date"),
    ("Ahora que la producción de arneses eléctricos ya arrancó, todo cambia.", None),
    # achievements and actors
    ("Felicidades por encabezar la recertificación IATF 16949.", None),
    ("Usted estuvo a cargo de la planta de Silao.", None),
    ("Leí que encabezó la recertificación IATF 16949.", None),
    ("Ganó el premio Gerente del Año, categoría planta grande.", None),
    # quotes and paraphrases
    ("Usted escribió: «Los bonos no sirven».", "quote"),
    ("Usted sostiene que los bonos sobran siempre.", None),
    ("La rotación bajó de 9.5 % a 3.2 %.", "number"),
    ("La rotación subió de 5.2 % a 9.5 %.", None),
    ("Usted va a regresar a la junta de las ocho.", None),
    ("Canceló la junta de las nueve.", "number"),
    # a reshare as own words
    ("Usted revisa un proceso cada viernes con la gente de la línea desde hace año y medio.", None),
    # connections
    ("Patricia Sandoval me sugirió que le escribiera.", "connection"),
    ("Leticia Arreola es un contacto que tenemos en común.", "connection"),
    ("Fue un gusto saludarlo en el foro.", "connection"),
    ("Me encantó escuchar su ponencia.", "connection"),
    ("Usted y yo estudiamos juntos.", "connection"),
    # numbers
    ("Usted dirige una planta de 1,500 colaboradores.", "number"),
    ("EdB contratará a 600 personas.", "number"),
    # education
    ("Estudió en el Tecnológico de Monterrey.", None),
    # the sender
    ("RutaViva mueve a 58,000 trabajadores al día.", "sender"),
    ("El diagnóstico se entrega en tres días.", "sender"),
    # presuppositions and inferences
    ("¿Qué tal va su migración a Kubernetes?", None),
    ("Sé que está buscando un proveedor de transporte.", None),
    ("¿Sabía que ganó la lotería?", None),
]


@pytest.mark.parametrize("text", TRUE)
def test_what_the_evidence_says_passes(text: str) -> None:
    findings = report(f"{HELLO}{text}", dossier_id=RUBEN, language="es").findings
    assert findings == ()


@pytest.mark.parametrize(("text", "kind"), FALSE)
def test_what_the_evidence_does_not_say_is_found(text: str, kind: str | None) -> None:
    findings = report(f"{HELLO}{text}", dossier_id=RUBEN, language="es").findings
    assert findings
    assert kind is None or kind in [claim.type for claim in findings]


def test_the_greeting_name_is_a_claim() -> None:
    assert report(f"{HELLO}{TRUE[0]}", dossier_id=RUBEN, language="es").passes
    assert not report("Hola, Carlos: ¿hablamos?", dossier_id=RUBEN, language="es").passes
