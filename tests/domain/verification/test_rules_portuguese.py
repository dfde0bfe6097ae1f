"""The claim contract in Brazilian Portuguese: você, contractions, evidence that is written in English."""

import pytest

from .cases import report

CAIO = "W5-D2"
HELLO = "Oi, Caio,\n\n"

TRUE = [
    # titles
    "Você é Head de Dados na Mandacaru desde janeiro de 2025.",
    "Antes você foi engenheiro de dados sênior na Loja Farol.",
    "O Caio Lins é o CTO da Mandacaru.",
    "Yolanda Sá, diretora jurídica, coordenou o processo no Chile.",
    "Caio Lins, diretor de tecnologia da Mandacaru, entrou na lista 40 Abaixo de 40.",
    # dates, tenure and recency
    "Você está na Mandacaru há quase dois anos.",
    "Em novembro você escreveu sobre contrato de dados.",
    "Você deu uma palestra na Semana de Dados Recife em agosto.",
    "A operação no Chile deve começar no segundo trimestre de 2027.",
    # achievements and actors
    "Parabéns ao Caio Lins pela lista 40 Abaixo de 40.",
    "Em 2025 você ganhou o prêmio de Melhor Palestra na trilha Engenharia.",
    "A Mandacaru obteve autorização para oferecer pagamentos no Chile.",
    # quotes and paraphrases
    "Você escreveu: “Contrato de dados não é arquivo YAML”.",
    "Os alertas nessas tabelas saíram de uns 40 por semana para 11.",
    "Vocês escolheram cinco das umas 600 tabelas.",
    "A parte técnica levou dez dias e convencer os times de produto levou quatro meses.",
    "Você não sabe se isso escala para as outras 595.",
    "Vi que contratou três estagiários em agosto.",
    # a reshare in English, with its author
    "Você compartilhou o texto da Priya Raghunathan sobre os 412 dashboards apagados.",
    # connections
    "Estive na Semana de Dados Recife 2026, em agosto.",
    "Nós dois estudamos na UFPE.",
    "Não nos conhecemos.",
    # numbers
    "Você tem um time de 22 pessoas.",
    "A Mandacaru levantou R$ 210 milhões em 2024.",
    # education
    "Você estudou Ciência da Computação na UFPE.",
    # the sender
    "Mais de 60 empresas na América Latina usam a Sentinela Dados.",
    "O teste é gratuito, dura 30 dias e não pede cartão.",
    "Na Varejo Íris, os incidentes de dados caíram de 18 para 7 por mês em um trimestre.",
    # acts
    "Faz sentido conversar uns vinte minutos na semana que vem?",
    "Posso te mandar um resumo de uma página?",
    "Gostaria de ouvir a sua opinião.",
    "Se não for o momento, é só me avisar.",
    "Fico à disposição.",
    "Desde já, obrigado pela atenção.",
]

FALSE = [
    # titles
    ("Como CTO da Mandacaru, você decide.", "title"),
    ("Você é diretor de dados na Mandacaru.", "title"),
    ("Você é Data Engineering Manager na Mandacaru.", "title"),
    ("Você foi engenheiro de dados pleno na Loja Farol.", "title"),
    # dates, tenure and recency
    ("Parabéns pelo novo cargo de Head de Dados!", "recency"),
    ("Você acabou de entrar na Mandacaru.", "recency"),
    ("Você está na Mandacaru há cinco anos.", None),
    ("A Mandacaru acabou de levantar uma Série C.", "recency"),
    ("Você deu a palestra no mês passado.", "recency"),
    ("Agora que a Mandacaru já opera no Chile, o volume cresce.", None),
    # achievements and actors
    ("Parabéns por entrar na lista 40 Abaixo de 40!", "achievement"),
    ("Vi que coordenou o processo de autorização no Chile.", "achievement"),
    ("Você levantou uma Série C de R$ 210 milhões.", "achievement"),
    # quotes and paraphrases
    ("Você escreveu: “Todo dado precisa de contrato”.", "quote"),
    ("Você escreveu: “Assistente de IA vai acabar com vaga júnior”.", "quote"),
    ("Você defende que todas as 600 tabelas precisam de contrato.", None),
    ("Os alertas saíram de uns 40 por dia para 11.", "number"),
    ("Vocês escolheram quinze das umas 600 tabelas.", "number"),
    ("O assistente de IA vai acabar com a vaga júnior, você escreveu.", None),
    # a reshare as own words
    ("Você apagou 412 dashboards no trimestre passado.", None),
    # connections
    ("O Caio Lins me sugeriu que eu te escrevesse.", "connection"),
    ("Adorei ouvir a sua palestra.", "connection"),
    ("Estudamos na UFPE na mesma época.", "connection"),
    ("Foi ótimo te conhecer em Recife.", "connection"),
    ("A Priya Raghunathan é um contato que temos em comum.", "connection"),
    # numbers
    ("Você tem um time de 32 pessoas.", "number"),
    ("A Mandacaru levantou US$ 210 milhões em 2024.", "number"),
    # education
    ("Você fez mestrado na UFPE.", None),
    # the sender
    ("Mais de 100 empresas na América Latina usam a Sentinela Dados.", "sender"),
    ("O teste dura 60 dias.", "sender"),
    # presuppositions and inferences
    ("Como vai a sua migração para Kubernetes?", None),
    ("Sei que vocês procuram um fornecedor de monitoramento.", None),
    ("Você sabia que ganhou na loteria?", None),
]


@pytest.mark.parametrize("text", TRUE)
def test_what_the_evidence_says_passes(text: str) -> None:
    findings = report(f"{HELLO}{text}", dossier_id=CAIO, language="pt-BR").findings
    assert findings == ()


@pytest.mark.parametrize(("text", "kind"), FALSE)
def test_what_the_evidence_does_not_say_is_found(text: str, kind: str | None) -> None:
    findings = report(f"{HELLO}{text}", dossier_id=CAIO, language="pt-BR").findings
    assert findings
    assert kind is None or kind in [claim.type for claim in findings]


def test_the_greeting_name_is_a_claim() -> None:
    assert report(f"{HELLO}{TRUE[0]}", dossier_id=CAIO, language="pt-BR").passes
    assert not report("Oi, Carlos, tudo bem?", dossier_id=CAIO, language="pt-BR").passes
