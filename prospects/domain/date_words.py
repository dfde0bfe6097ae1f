"""Month names and words for "until today" in the languages that exports come in, case and width folded."""

from __future__ import annotations

_NAMES = (
    "jan january janv janvier jän jänner januar ene enero gen gennaio janeiro januari janúar يناير",
    "feb february févr fevr février fevrier februar febrero febr febbraio fev fevereiro februari فبراير",
    "mar march mars märz maerz mär mrz marzo março marco mrt maart مارس",
    "apr april avr avril abr abril aprile أبريل ابريل",
    "may mai mayo mag maggio maio mei مايو",
    "jun june juin juni jun. junio giu giugno junho يونيو",
    "jul july juil juillet juli julio lug luglio julho يوليو",
    "aug august août aout ago agosto augustus أغسطس اغسطس",
    "sep sept september septembre septiembre set settembre setembro سبتمبر",
    "oct october octobre okt oktober octubre ott ottobre out outubro أكتوبر اكتوبر",
    "nov november novembre noviembre novembro نوفمبر",
    "dec december déc décembre decembre dez dezember dic diciembre dicembre dezembro ديسمبر",
)

MONTHS: dict[str, int] = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}

PRESENT = (
    "present",
    "now",
    "current",
    "currently",
    "today",
    "ongoing",
    "to date",
    "till date",
    "heute",
    "jetzt",
    "aktuell",
    "aujourd'hui",
    "présent",
    "actuel",
    "à ce jour",
    "actualidad",
    "actual",
    "presente",
    "hoy",
    "o momento",
    "atual",
    "atualmente",
    "oggi",
    "attuale",
    "in corso",
    "heden",
    "nu",
    "至今",
    "现在",
    "現在",
    "现今",
    "현재",
    "حتى الآن",
    "الآن",
    "настоящее время",
)

UNKNOWN_END = ("undefined", "null", "none", "nan", "unknown", r"\?")
