"""Labelled messages made from dossiers by seeded mutation, to measure the verifier.

Written without knowledge of its rules. A true sentence becomes a false one by one change whose class is known
(a title one step up, a date over a window's edge, a colleague's success given to the prospect, …), or stays true
under another wording. `generate.cases` is the entry; `languages/<code>/` holds the words and the dossiers of a
language:

    dossiers.jsonl   invented prospects in the product's own form
    wording.toml     sentence frames, dates and invented statements
    notes.toml       per dossier: titles near its own, and true sentences with places to falsify (see markup.py)
"""
