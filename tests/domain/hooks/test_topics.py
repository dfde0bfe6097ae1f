"""What a company's news is about, in seven languages, and what follows for its worth as an opening."""

from __future__ import annotations

import pytest

from messaging.hooks.domain.topics import Topic, topic_of

TITLES = [
    ("Lowmoor raises 6 million in Series B", Topic.FUNDING),
    ("Sonnrain schließt Finanzierungsrunde ab", Topic.FUNDING),
    ("Tablécole lève 6 millions d'euros", Topic.FUNDING),
    ("Berries del Lerma cierra ronda de 4 millones", Topic.FUNDING),
    ("Ferroviva captou R$ 400 milhões", Topic.FUNDING),
    ("Filanda Nord chiude un round di 3 milioni", Topic.FUNDING),
    ("De Linde rondt financieringsronde af", Topic.FUNDING),
    ("Lowmoor appoints a new head of people", Topic.LEADERSHIP),
    ("Neuer Geschäftsführer bei Sonnrain", Topic.LEADERSHIP),
    ("Coop Boréal nomme un responsable de la sécurité", Topic.LEADERSHIP),
    ("Almadraba nombra directora comercial", Topic.LEADERSHIP),
    ("Cambio al vertice di Trasporti Valsesia", Topic.LEADERSHIP),
    ("Ferroviva nomeia diretora de gente", Topic.LEADERSHIP),
    ("De Linde benoemt nieuwe bestuurder", Topic.LEADERSHIP),
    ("Brackenvet bought by Kestrel Partners", Topic.ACQUISITION),
    ("De Linde fuseert met Thuiszorg Wad", Topic.ACQUISITION),
    ("Lowmoor will need 60 more crane drivers", Topic.HIRING),
    ("Tablécole recrute 40 cuisiniers", Topic.HIRING),
    ("Brackenvet opens a surgery suite in Truro", Topic.LAUNCH),
    ("Almadraba abre hotel en Conil", Topic.LAUNCH),
    ("Filanda Nord apre a Seoul", Topic.LAUNCH),
    ("Lowmoor wins safety prize", Topic.AWARD),
    ("Brackenvet sponsors the village fair", Topic.NEWS),
    ("", Topic.NEWS),
]


@pytest.mark.parametrize(("title", "topic"), TITLES, ids=[title or "nothing" for title, _ in TITLES])
def test_the_title_tells_the_subject(title, topic):
    assert topic_of(title=title, text="") is topic


def test_the_text_tells_it_where_the_title_does_not():
    assert topic_of(title="Good week", text="The firm raised 3 million.") is Topic.FUNDING
