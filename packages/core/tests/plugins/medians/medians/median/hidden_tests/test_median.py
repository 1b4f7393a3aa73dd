import pytest
from median import median


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [([5], 5), ([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([2, 2, 9, 1], 2)],
    ids=["one", "odd", "even", "ties"],
)
def test_median(numbers, expected):
    assert median(numbers) == expected


def test_an_empty_list_is_refused():
    with pytest.raises(ValueError):
        median([])


def test_the_list_stays_as_it_is(submission):
    assert submission.drive("list_afterwards", numbers=[3, 1, 2]) == [3, 1, 2]
