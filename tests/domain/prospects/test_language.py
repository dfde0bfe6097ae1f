"""Which language to write in, case by case: signals, their weight, the confidence, and what is not written yet."""

from __future__ import annotations

from datetime import date

import pytest

from prospects.domain.detection import language_of_text
from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.language import WRITTEN, decide_language
from prospects.domain.places import languages_of_place, name_of_language, territory_of

TEXTS = {
    "en": "We moved the whole freight platform to the new depot last year, and the team learned a lot about trains.",
    "de": "Wir haben im letzten Jahr die ganze Plattform umgezogen, und das Team hat dabei viel über Züge gelernt.",
    "fr": "Nous avons déménagé toute la plateforme l'année dernière, et l'équipe a beaucoup appris sur les trains.",
    "es": "El año pasado trasladamos toda la plataforma, y el equipo aprendió mucho sobre los trenes de mercancías.",
    "pt": "No ano passado mudamos toda a plataforma, e a equipe aprendeu muita coisa sobre trens de carga e gente.",
    "it": "L'anno scorso abbiamo spostato tutta la piattaforma, e la squadra ha imparato molto sui treni merci.",
    "nl": "Vorig jaar hebben we het hele platform verhuisd, en het team heeft veel geleerd over goederentreinen.",
    "pl": "W zeszłym roku przenieśliśmy całą platformę, a zespół wiele się nauczył o pociągach towarowych.",
    "sv": "Förra året flyttade vi hela plattformen, och teamet lärde sig mycket om godståg och om varandra.",
    "da": "Sidste år flyttede vi hele platformen, og holdet lærte meget om godstog og om hinanden undervejs.",
    "nb": "I fjor flyttet vi hele plattformen vår, og laget lærte mye om godstog og om hverandre underveis.",
    "fi": "Viime vuonna siirsimme koko alustan, ja tiimi oppi paljon tavarajunista ja toisistaan matkan varrella.",
    "cs": "Loni jsme přestěhovali celou platformu a tým se hodně naučil o nákladních vlacích a o sobě navzájem.",
    "hu": "Tavaly átköltöztettük az egész platformot, és a csapat sokat tanult a tehervonatokról és egymásról.",
    "ro": "Anul trecut am mutat întreaga platformă, iar echipa a învățat multe despre trenurile de marfă.",
    "tr": "Geçen yıl tüm platformu taşıdık ve ekip yük trenleri hakkında çok şey öğrendi, birbirini de tanıdı.",
    "ru": "В прошлом году мы перенесли всю платформу, и команда многое узнала о грузовых поездах.",
    "uk": "Минулого року ми перенесли всю платформу, і команда багато дізналася про вантажні потяги.",
    "el": "Πέρυσι μεταφέραμε όλη την πλατφόρμα και η ομάδα έμαθε πολλά για τα εμπορικά τρένα.",
    "he": "בשנה שעברה העברנו את כל הפלטפורמה והצוות למד הרבה על רכבות משא.",
    "ar": "نقلنا المنصة بأكملها في العام الماضي وتعلم الفريق الكثير عن قطارات الشحن.",
    "hi": "पिछले साल हमने पूरा मंच स्थानांतरित किया और टीम ने मालगाड़ियों के बारे में बहुत कुछ सीखा।",
    "zh": "去年我们迁移了整个平台,团队学到了很多关于货运列车的知识。",
    "ja": "昨年、私たちはプラットフォーム全体を移行し、チームは貨物列車について多くを学びました。",
    "ko": "작년에 우리는 플랫폼 전체를 이전했고 팀은 화물 열차에 대해 많은 것을 배웠습니다.",
    "th": "ปีที่แล้วเราได้ย้ายแพลตฟอร์มทั้งหมด และทีมได้เรียนรู้มากมายเกี่ยวกับรถไฟบรรทุกสินค้า",
    "vi": "Năm ngoái chúng tôi đã chuyển toàn bộ nền tảng và nhóm đã học được rất nhiều về tàu chở hàng.",
    "id": "Tahun lalu kami memindahkan seluruh platform, dan tim belajar banyak tentang kereta barang dan satu sama lain.",
}


def fact(kind: Kind, text: str, **fields: str) -> Evidence:
    return Evidence(ref="x", kind=kind, actor=Actor.PROSPECT, text=text, fields=fields, observed_at=date(2026, 12, 1))


def profile(code: str) -> Evidence:
    return fact(Kind.PROFILE_LANGUAGE, code, code=code)


def posts(code: str, number: int = 1) -> list[Evidence]:
    return [fact(Kind.POST, f"{TEXTS[code]} {n}") for n in range(number)]


def place(text: str) -> Evidence:
    return fact(Kind.LOCATION, text)


def speaks(name: str, level: str = "Native or bilingual proficiency") -> Evidence:
    return fact(Kind.LANGUAGE, f"{name} ({level})", name=name, level=level)


@pytest.mark.parametrize("code", TEXTS)
def test_the_language_of_a_post_is_recognised(code: str) -> None:
    assert language_of_text(TEXTS[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello!",
        "So true 👏",
        "#PLG #RevOps #SaaS https://x.example/a-very-long-address-in-a-post",
        "Müller",
        "OK 你好",
        "1,234 5,678 90",
    ],
)
def test_what_is_too_short_is_not_guessed(text: str) -> None:
    assert language_of_text(text) == ""


#: name, evidence, expected code, least and greatest confidence
CASES: list[tuple[str, list[Evidence], str, float, float]] = [
    ("nothing is known", [], "", 0, 0),
    ("a name says nothing", [fact(Kind.NAME, "Jürgen Müller")], "", 0, 0),
    ("a place alone is a weak hint", [place("Hamburg, Germany")], "de", 0.3, 0.5),
    ("a city without its country", [place("Lyon et périphérie")], "fr", 0.3, 0.5),
    ("a region of profiles", [place("San Francisco Bay Area")], "en", 0.3, 0.5),
    ("a place in another language", [place("Hambourg, Allemagne")], "de", 0.3, 0.5),
    ("Switzerland as a whole stays open", [place("Schweiz")], "de", 0.1, 0.25),
    ("Geneva writes French", [place("Geneva, Switzerland")], "fr", 0.3, 0.5),
    ("Lugano writes Italian", [place("Lugano, Ticino, Switzerland")], "it", 0.3, 0.5),
    ("Antwerp writes Dutch", [place("Antwerp, Flemish Region, Belgium")], "nl", 0.3, 0.5),
    ("Liège writes French", [place("Liège, Walloon Region, Belgium")], "fr", 0.3, 0.5),
    ("Montréal writes French", [place("Montréal, Québec, Canada")], "fr", 0.3, 0.5),
    ("Toronto writes English", [place("Toronto, Ontario, Canada")], "en", 0.3, 0.5),
    ("India writes English at work", [place("Bengaluru, Karnataka, India")], "en", 0.3, 0.5),
    ("a place that is none", [place("Earth 🌍")], "", 0, 0),
    ("the profile's setting decides", [profile("de"), place("London, United Kingdom")], "de", 0.7, 0.8),
    ("setting and place agree", [profile("fr_FR"), place("Paris, France")], "fr", 1, 1),
    ("posts decide against the place", [*posts("en", 4), place("Berlin, Germany")], "en", 0.7, 0.8),
    ("one post weighs less than four", [*posts("en"), place("Berlin, Germany")], "en", 0.6, 0.75),
    ("posts against the setting: more posts, less doubt", [profile("en"), *posts("de", 6), place("Munich, Germany")], "de", 0.5, 0.65),
    ("two languages in posts", [*posts("fr", 3), *posts("en", 1)], "fr", 0.7, 0.8),
    ("a summary counts", [fact(Kind.ABOUT, TEXTS["nl"])], "nl", 0.5, 0.7),
    ("a comment is their own words", [fact(Kind.COMMENT, TEXTS["it"])], "it", 0.8, 1),
    ("a reshare is not", [Evidence(ref="x", kind=Kind.RESHARE, actor=Actor.OTHER, text=TEXTS["it"])], "", 0, 0),
    ("a native language", [speaks("Deutsch")], "de", 0.3, 0.5),
    ("a fluent one weighs less", [speaks("German", "Native"), speaks("English", "Full professional proficiency")], "de", 0.3, 0.5),
    ("an elementary one weighs nothing", [speaks("French", "Elementary proficiency")], "", 0, 0),
    ("a name in another language", [speaks("Französisch", "Muttersprache")], "fr", 0.3, 0.5),
    ("Portuguese is Brazilian in Brazil", [*posts("pt", 4), place("São Paulo, Brazil")], "pt-BR", 1, 1),
    ("and European in Portugal", [*posts("pt", 4), place("Lisbon, Portugal")], "pt-PT", 1, 1),
    ("a European setting stays European", [profile("pt_PT")], "pt-PT", 1, 1),
    ("Brazilian where nothing else is said", [profile("pt")], "pt-BR", 1, 1),
    ("a region of English is English", [profile("en-GB"), place("London, England, United Kingdom")], "en", 1, 1),
    ("Norwegian under both its codes", [profile("no"), *posts("nb", 4)], "nb", 1, 1),
    ("Polish is recognised", [*posts("pl", 4), place("Warsaw, Poland")], "pl", 1, 1),
    ("Arabic is recognised", [*posts("ar", 2), place("Kuwait City, Kuwait")], "ar", 1, 1),
    ("Japanese is recognised", [profile("ja_JP"), place("日本")], "ja", 1, 1),
    ("two that weigh the same: the one that is written", [speaks("Polish"), speaks("German")], "de", 0.3, 0.45),
]  # fmt: skip


@pytest.mark.parametrize(
    ("items", "code", "least", "most"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_signals_are_weighed(items: list[Evidence], code: str, least: float, most: float) -> None:
    found = decide_language(items)
    assert found.code == code
    assert least <= found.confidence <= most
    assert found.written is (code in WRITTEN)
    assert bool(found.signals) is bool(code)
    assert all(signal.reason and signal.weight > 0 and signal.source for signal in found.signals)


def test_the_reasons_say_what_was_seen() -> None:
    items = [profile("en"), *posts("de", 3), place("Munich, Germany"), speaks("Deutsch"), fact(Kind.ABOUT, TEXTS["de"])]
    assert [(signal.source, signal.code, signal.reason) for signal in decide_language(items).signals] == [
        ("profile", "en", "profile kept in English"),
        ("posts", "de", "3 of 3 posts and comments in German"),
        ("about", "de", "summary written in German"),
        ("listed", "de", "lists Deutsch (Native or bilingual proficiency)"),
        ("location", "de", "lives in Munich, Germany"),
    ]


def test_more_of_the_same_makes_surer() -> None:
    confidence = [
        decide_language(items).confidence
        for items in (
            [place("Hamburg, Germany")],
            [place("Hamburg, Germany"), speaks("Deutsch")],
            [place("Hamburg, Germany"), *posts("de", 4)],
        )
    ]
    assert confidence == sorted(confidence)
    assert confidence[-1] == 1


@pytest.mark.parametrize(
    ("location", "territory"),
    [
        ("Hamburg, Germany", "DE"), ("Paris, Texas, United States", "US"), ("London, Ontario, Canada", "CA"), ("Greater Paris Metropolitan Region", "FR"),
        ("Greater London", "GB"), ("Berlin Metropolitan Area", "DE"), ("München und Umgebung", "DE"), ("Sendai, Miyagi, Japan", "JP"), ("Deutschland", "DE"),
        ("Georgia, United States", "US"), ("Remote", ""), ("", ""), (",,,", ""), ("· ·", ""),
    ],
)  # fmt: skip
def test_a_location_names_a_country(location: str, territory: str) -> None:
    assert territory_of(location) == territory


@pytest.mark.parametrize("code", [*TEXTS, "pt-BR", "pt-PT", "zh-Hant", "de-CH"])
def test_every_language_has_a_name(code: str) -> None:
    assert name_of_language(code) not in ("", code)


def test_a_country_that_nobody_knows_has_no_language() -> None:
    assert languages_of_place("") == languages_of_place("XX") == ()
