"""The letters in a draft's row mean the same to the stage that writes them and to the one that reads them."""

import pytest

from messaging.review.domain.letters import tally
from messaging.verification.contract import Verdict
from messaging.writing.revisions import LETTERS


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_read_as_it_was_written(verdict):
    assert tally(LETTERS[verdict]) == ((verdict, 1),)
