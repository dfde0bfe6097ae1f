"""Rank and field of a job title, as far as its words say so; in the seven languages that are written."""

from __future__ import annotations

import unicodedata
from enum import IntEnum


class Level(IntEnum):
    """Higher leads lower. UNKNOWN says nothing and compares with nothing."""

    UNKNOWN = 0
    STAFF = 1
    LEAD = 2
    MANAGER = 3
    HEAD = 4
    VICE_PRESIDENT = 5
    CHIEF = 6


_LEVELS: tuple[tuple[Level, str], ...] = (
    # Before the chiefs, among whom a president is.
    (Level.VICE_PRESIDENT, "vp svp evp avp vice-president vice-presidente vicepresidente vicepresidenta"),
    (
        Level.CHIEF,
        (
            "ceo cto cfo coo cmo cro cio ciso cpo chro cdo chief president managing-director geschaeftsfuehrer "
            "geschaeftsfuehrerin vorstand vorstandin vorstaendin pdg dg directeur-general directrice-generale president-directeur "
            "director-general directora-general consejero-delegado consejera-delegada presidente presidenta diretor-geral diretora-geral "
            "amministratore-delegato amministratrice-delegata direttore-generale direttrice-generale algemeen-directeur bestuurder "
            "gerant gerante inhaber inhaberin owner proprietaire proprietario titolare eigenaar dono socio-gerente"
        ),
    ),
    (
        Level.HEAD,
        (
            "head director directeur directrice directora diretor diretora direttore direttrice leiter leiterin "
            "bereichsleiter bereichsleiterin abteilungsleiter abteilungsleiterin hoofd responsable-de responsabile-di chef-de-service "
            "jefe jefa gerente-general"
        ),
    ),
    (
        Level.MANAGER,
        (
            "manager managerin gerente responsable responsabile gestionnaire supervisor supervisora teamleiter teamleiterin "
            "leitung coordinateur-principal encargado encargada"
        ),
    ),
    (Level.LEAD, "lead principal teamlead chef-d-equipe capo-squadra lider-tecnico tech-lead techlead leadentwickler"),
    (
        Level.STAFF,
        (
            "engineer developer analyst consultant specialist associate assistant designer scientist architect representative "
            "accountant recruiter researcher writer editor technician nurse teacher trainee intern junior entwickler entwicklerin "
            "ingenieur ingenieurin berater beraterin sachbearbeiter sachbearbeiterin werkstudent praktikant praktikantin "
            "developpeur developpeuse ingenieure consultante charge chargee stagiaire comptable desarrollador desarrolladora ingeniero "
            "ingeniera consultor consultora analista becario becaria tecnico tecnica desenvolvedor desenvolvedora engenheiro engenheira "
            "estagiario estagiaria sviluppatore sviluppatrice ingegnere consulente impiegato impiegata stagista ontwikkelaar "
            "adviseur medewerker stagiair specialista redakteur redakteurin executive"
        ),
    ),
)
_FIELDS: tuple[tuple[str, str], ...] = (
    (
        "engineering",
        (
            "engineering engineer software developer platform devops sre infrastructure backend frontend architect "
            "entwickler entwicklung entwicklerin developpeur developpeuse desarrollador desarrollo desenvolvedor sviluppatore sviluppo "
            "ontwikkelaar ingenieur ingenieurin ingeniero engenheiro engenharia ingegnere cto programmer technik"
        ),
    ),
    ("data", "data analytics bi statistics machine-learning ai datos dados dati daten scientist"),
    ("product", "product produkt produit producto produto prodotto cpo"),
    ("design", "design designer ux ui gestaltung diseno"),
    (
        "sales",
        (
            "sales revenue account-executive business-development vertrieb verkauf ventes commercial commerciale comercial ventas "
            "vendas vendite verkoop cro"
        ),
    ),
    (
        "marketing",
        (
            "marketing brand growth content demand communications cmo kommunikation communication comunicacion comunicacao "
            "comunicazione communicatie"
        ),
    ),
    ("customer", "customer support success service kundendienst kundenservice clientele clientes klantenservice"),
    (
        "finance",
        (
            "finance financial accounting controller controlling treasury cfo finanzen finanz buchhaltung comptabilite comptable "
            "finances finanzas contabilidad financas financeiro finanza contabilita financien accountant"
        ),
    ),
    (
        "people",
        (
            "hr people talent recruiting recruiter human-resources personal personalabteilung rh ressources-humaines "
            "recursos-humanos risorse-umane personeel chro"
        ),
    ),
    (
        "operations",
        (
            "operations ops supply logistics manufacturing production coo betrieb produktion logistik operaciones operacoes "
            "operazioni logistique logistica logistiek"
        ),
    ),
    ("security", "security ciso cybersecurity sicherheit securite seguridad seguranca sicurezza beveiliging"),
    ("it", "it cio information systems administrator sysadmin informatik informatique informatica sistemas"),
    (
        "legal",
        (
            "legal counsel lawyer attorney compliance recht jurist juristin juridique abogado abogada juridico legale avvocato "
            "avvocata juridisch"
        ),
    ),
    ("procurement", "procurement purchasing sourcing einkauf achats compras acquisti inkoop"),
    ("research", "research researcher scientist forschung recherche investigacion pesquisa ricerca onderzoek"),
)
_FOUNDER_WORDS = (
    "founder cofounder co-founder founding-partner gruender gruenderin mitgruender mitgruenderin fondateur fondatrice "
    "cofondateur cofondatrice fundador fundadora cofundador cofundadora fondatore cofondatore co-fondatore oprichter "
    "medeoprichter"
)
_NOT_RANKS = (("account", "manager"), ("product", "manager"), ("project", "manager"), ("community", "manager"))


def _words(title: str) -> list[str]:
    plain = title.casefold().replace("ß", "ss").replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    letters = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    return "".join(sign if sign.isalnum() else " " for sign in letters).split()


def _holds(words: list[str], entry: str) -> bool:
    parts = entry.split("-")
    return any(words[at : at + len(parts)] == parts for at in range(len(words) - len(parts) + 1))


def _any_of(words: list[str], entries: str) -> bool:
    return any(_holds(words, entry) for entry in entries.split())


def level_of(title: str) -> Level:
    """The highest rank that the title names. Managers of a product, a project or an account lead nobody by that."""
    words = _words(title)
    for level, entries in _LEVELS:
        if _any_of(words, entries) and not (level is Level.MANAGER and _manages_things(words)):
            return level
    return Level.STAFF if _manages_things(words) else Level.UNKNOWN


def _manages_things(words: list[str]) -> bool:
    return any(_holds(words, "-".join(pair)) for pair in _NOT_RANKS)


def field_of(title: str) -> str:
    """The field of work that the title names first; "" when it names none."""
    words = _words(title)
    found = [
        (min(at for at in range(len(words)) if words[at : at + len(entry.split("-"))] == entry.split("-")), name)
        for name, entries in _FIELDS
        for entry in entries.split()
        if _holds(words, entry)
    ]
    return min(found)[1] if found else ""


def is_founder(title: str) -> bool:
    """Founder or co-founder, in any of the languages. Who founded something in the past says so with "ex" or "former"."""
    words = _words(title)
    if words[:1] in (["ex"], ["former"], ["ancien"], ["ehemaliger"]):
        return False
    return _any_of(words, _FOUNDER_WORDS)


#: Seats and good deeds that people hold beside a job; "advisor" only where it is the whole title or said of a board.
_SIDE_ROLES = (
    "board-member member-of-the-board member-of-the-advisory-board member-of-the-supervisory-board board-advisor board-adviser "
    "board-observer board-director advisory-board supervisory-board strategic-advisor startup-advisor non-executive nonexecutive "
    "independent-director angel-investor business-angel mentor mentorin volunteer ambassador guest-lecturer visiting-lecturer "
    "adjunct-lecturer adjunct-professor aufsichtsrat aufsichtsraetin beirat beiraetin beiratsmitglied ehrenamtlich botschafter "
    "botschafterin administrateur-independant administratrice-independante membre-du-conseil benevole consejero-independiente "
    "consejera-independiente consejero-asesor miembro-del-consejo voluntario voluntaria conselheiro conselheira membro-do-conselho "
    "consigliere-indipendente membro-del-consiglio volontario volontaria commissaris toezichthouder raad-van-advies vrijwilliger"
)
_WHOLE_SIDE_ROLES = frozenset({"advisor", "adviser", "investor"})


def is_side_role(title: str) -> bool:
    """Whether a title names a seat on a board, advice, or an unpaid task: what is held beside a job, not instead of one."""
    words = _words(title)
    return " ".join(words) in _WHOLE_SIDE_ROLES or _any_of(words, _SIDE_ROLES)
